"""The tool-info module of BenchExec: ``tool="trellis.benchexec"`` in a benchmark definition.

With a property file it asks as SV-COMP does, through ``trellis-svcomp``, and leaves ``witness.yml`` in the working directory; models in AIGER
and BTOR2 are asked as in HWMCC.
"""

import benchexec.result as result
import benchexec.tools.template
from benchexec.tools.sv_benchmarks_util import ILP32, LP64, get_data_model_from_task

#: Models of hardware by their extensions.
HARDWARE = (".aig", ".aag", ".btor2", ".btor")
WITNESS = "witness.yml"


class Tool(benchexec.tools.template.BaseTool2):
    """Trellis, a certified verifier of C programs and hardware models."""

    def executable(self, tool_locator):
        return tool_locator.find_executable("trellis-svcomp", subdir="bin")

    def program_files(self, executable):
        return self._program_files_from_executable(executable, ["bin", "lib"], parent_dir=True)

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="trellis")

    def name(self):
        return "Trellis"

    def cmdline(self, executable, options, task, rlimits):
        files = list(task.input_files_or_identifier)
        command = [executable, *options]
        if rlimits.walltime or rlimits.cputime:
            times = [t for t in (rlimits.walltime, rlimits.cputime) if t]
            command += ["--timeout", f"{min(times)}s"]
        if rlimits.memory:
            command += ["--memory", str(rlimits.memory)]
        if all(file.endswith(HARDWARE) for file in files):
            return [*command, *files]
        if task.property_file:
            command += ["--property", task.property_file]
        model = get_data_model_from_task(task, {ILP32: "ILP32", LP64: "LP64"})
        if model:
            command += ["--data-model", model]
        return [*command, "--witness", WITNESS, *files]

    def determine_result(self, run):
        for line in reversed(list(run.output)):
            word = line.strip()
            if word == "true":
                return result.RESULT_TRUE_PROP
            if word.startswith("false"):
                # The words are BenchExec's own.
                return word
            if word.startswith("unknown"):
                return result.RESULT_UNKNOWN
        if run.was_terminated:
            return result.RESULT_ERROR
        code = run.exit_code.value
        return "INPUT ERROR" if code == 2 else f"{result.RESULT_ERROR} ({code})"

