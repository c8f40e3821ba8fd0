#!/usr/bin/env python3
"""Runs the steps of a composite action of GitHub, as its runner would.

    action.py ACTION.yml NAME=VALUE...

Values are inputs; others have their defaults, in which what GitHub knows is empty. Steps that use other actions are named, with what they are
given. Needs PyYAML.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml


def main():
    action = yaml.safe_load(Path(sys.argv[1]).read_text())
    given = dict(arg.split("=", 1) for arg in sys.argv[2:])
    unknown = set(given) - set(action["inputs"])
    if unknown:
        sys.exit(f"action: no inputs: {', '.join(sorted(unknown))}")
    inputs = {}
    for name, declared in action["inputs"].items():
        if name not in given and declared.get("required"):
            sys.exit(f"action: the input {name} is required")
        inputs[name] = given.get(name, str(declared.get("default", "")))

    def filled(text):
        def value(match):
            name = match.group(1).strip()
            return inputs[name[len("inputs.") :]] if name.startswith("inputs.") else ""

        return re.sub(r"\$\{\{(.*?)\}\}", value, str(text))

    inputs = {name: filled(value) for name, value in inputs.items()}
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "path")
        path.touch()
        for step in action["runs"]["steps"]:
            if "uses" in step:
                given = {k: filled(v) for k, v in step.get("with", {}).items()}
                print(f"uses {step['uses']} {given}", flush=True)
                continue
            if failed:
                continue
            more = [line for line in path.read_text().splitlines() if line]
            environment = {
                **os.environ,
                **{k: filled(v) for k, v in step.get("env", {}).items()},
                "RUNNER_TEMP": folder,
                "GITHUB_PATH": str(path),
                "PATH": os.pathsep.join([*reversed(more), os.environ["PATH"]]),
            }
            assert step["shell"] == "bash", step
            script = Path(folder, "script")
            script.write_text(filled(step["run"]))
            ended = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", script], env=environment)
            failed = ended.returncode
    sys.exit(failed)


main()
