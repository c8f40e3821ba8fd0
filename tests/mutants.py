#!/usr/bin/env python3
"""Mutation testing of the trusted parts, all mutants in one build.

The mutants are those that cargo-mutants lists. Instead of building the crate again for each, every function becomes a
choice between its body and the changed bodies, by the number in the environment variable MUTANT; so a mutant costs a run of
tests and no compiler. Mutants that do not compile are found by the compiler's messages, and left out. Tests that are quick and
have noticed many run first.

    git clone . /tmp/mutants && tests/mutants.py /tmp/mutants PART...

works on that clone only. `PART` is a name in PARTS. Results go to PART.jsonl in the clone, a line per mutant, and are taken up
again by the next run, which asks for survivors only; those that `tests/mutants.toml` explains are counted as equivalent.
"""

import collections
import contextlib
import glob
import json
import os
import re
import resource
import subprocess
import sys
import tomllib

# The packages whose tests can notice what is wrong with the language.
ALL = ["trellis-ivl", "trellis-ivl-testing", "trellis-ivl-certify"]

# The package and the sources of a part, and the packages whose tests have to notice.
PARTS = {
    "checker": ("trellis-ivl-certify", ["ivl/certify/src/*.rs"], ["trellis-ivl-certify"]),
    "ring": ("trellis-ivl-ring", ["ivl/ring/src/*.rs"], ["trellis-ivl-ring", "trellis-ivl-certify"]),
    "interpreter": (
        "trellis-ivl",
        [f"ivl/core/src/{name}.rs" for name in ["interp", "eval", "op", "bv"]],
        ALL,
    ),
    "leaps": (
        "trellis-ivl",
        [f"ivl/core/src/{name}.rs" for name in ["compiled/leap", "compiled/round", "compiled/processor", "script"]],
        ["trellis-ivl-testing", "trellis-ivl-certify"],
    ),
    "programs": (
        "trellis-ivl",
        [f"ivl/core/src/{name}.rs" for name in ["flatten", "modular", "termination", "justice", "one_loop"]],
        ALL,
    ),
    "builder": (
        "trellis-ivl",
        ["ivl/core/src/build.rs", "ivl/core/src/build/*.rs", "ivl/core/src/plain.rs"],
        ALL,
    ),
}

# Seconds from which on a test runs alone.
SLOW = 0.3

# The rule test reads the names of rules from the sources, where they now stand many times: it is told to compare only. Whether
# rules fire less often than they did is what its census says, which is quick.
RULE_TEST = "every_rule_keeps_the_meaning_and_would_be_missed"
RULE_TEST_VARIABLES = {"TRELLIS_RULES_COMPARE_ONLY": "1"}

# What constructors are called while mutants are listed.
VISIBLE = "neu"

SWITCH = """
/// The mutant that is active.
pub(crate) fn active_mutant() -> u32 {
    static N: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
    *N.get_or_init(|| std::env::var("MUTANT").ok().and_then(|n| n.parse().ok()).unwrap_or(0))
}
"""


@contextlib.contextmanager
def looked_into(root, files):
    """Gives functions called `new` another name, as long: cargo-mutants looks into no constructor, and ours do more than to construct."""
    paths = [path for f in files for path in glob.glob(os.path.join(root, f))]
    texts = {}
    for path in paths:
        with open(path) as f:
            texts[path] = f.read()
        with open(path, "w") as f:
            f.write(re.sub(r"\bfn new\b", f"fn {VISIBLE}", texts[path]))
    try:
        yield
    finally:
        for path, text in texts.items():
            with open(path, "w") as f:
                f.write(text)


def listed(root, part):
    package, files, _ = PARTS[part]
    command = ["cargo", "mutants", "--list", "--json", "-p", package]
    for f in files:
        command += ["-f", f]
    with looked_into(root, files):
        out = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout
    out = re.sub(rf"\b{VISIBLE}\b", "new", out)
    # Of a function that returns `impl Trait` all bodies must have one type, and a constant has no body: such mutants are for
    # cargo-mutants itself.
    return [m for m in json.loads(out) if m["function"] and "impl " not in m["function"]["return_type"]]


def body_start(text, at):
    """The place of the brace that opens the body of the function at `at`: the first outside of comments and attributes."""
    depth = 0
    while True:
        if text.startswith("//", at):
            at = text.index("\n", at)
        c = text[at]
        depth += (c in "([") - (c in ")]")
        if c == "{" and depth == 0:
            return at
        at += 1


class Source:
    """A file with the mutants in it."""

    def __init__(self, root, path):
        self.path = os.path.join(root, path)
        with open(self.path) as f:
            self.text = f.read()
        self.lines = [0]
        for line in self.text.splitlines(keepends=True):
            self.lines.append(self.lines[-1] + len(line))

    def offset(self, place):
        return self.lines[place["line"] - 1] + place["column"] - 1

    def instrument(self, mutants):
        """Writes the file with all `mutants`; the lines that belong to each."""
        functions = collections.defaultdict(list)
        for m in mutants:
            span = m["function"]["span"]
            functions[(self.offset(span["start"]), self.offset(span["end"]))].append(m)
        out, done, owners = "", 0, []
        for (start, end), group in sorted(functions.items(), key=lambda f: f[0]):
            assert start >= done, "a function in a function"
            open_brace = body_start(self.text, start)
            out += self.text[done:open_brace] + "{ match crate::active_mutant() {\n"
            for m in group:
                a, b = self.offset(m["span"]["start"]), self.offset(m["span"]["end"])
                first = out.count("\n") + 1
                out += f"{m['number']} => {self.text[open_brace:a]}{m['replacement']}{self.text[b:end]}\n"
                owners.append((first, out.count("\n"), m))
            out += f"_ => {self.text[open_brace:end]}\n}} }}"
            done = end
        out += self.text[done:]
        with open(self.path, "w") as f:
            f.write(out)
        return owners


def cargo(root, parts, arguments):
    command = ["cargo", *arguments, "--message-format=json"]
    for package in sorted({package for part in parts for package in PARTS[part][2]}):
        command += ["-p", package]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True)
    found = []
    for line in run.stdout.splitlines():
        try:
            found.append(json.loads(line))
        except json.JSONDecodeError:
            pass
    return run.returncode, found, run.stderr


def prepare(root, parts):
    """Instruments the sources; the mutants of each part that compile, and those that do not."""
    subprocess.run(["git", "checkout", "-q", "--", "."], cwd=root, check=True)
    # A mutant that only a lint would notice is a mutant.
    manifest = os.path.join(root, "Cargo.toml")
    with open(manifest) as f:
        text = f.read()
    with open(manifest, "w") as f:
        f.write(text.replace('"deny"', '"warn"'))
    mutants = []
    for part in parts:
        for m in listed(root, part):
            mutants.append({**m, "part": part, "number": len(mutants) + 1})
    sources = {path: Source(root, path) for path in sorted({m["file"] for m in mutants})}
    for folder in sorted({path.split("src/")[0] for path in sources}):
        with open(os.path.join(root, folder, "src/lib.rs"), "a") as f:
            f.write(SWITCH)
    viable, unviable = mutants, []
    while True:
        owners = {}
        for path, source in sources.items():
            owners[path] = source.instrument([m for m in viable if m["file"] == path])
        code, found, stderr = cargo(root, parts, ["test", "--no-run", "--tests"])
        if code == 0:
            return viable, unviable, found
        wrong = set()
        for message in found:
            message = message.get("message") or {}
            if not isinstance(message, dict) or message.get("level") != "error":
                continue
            for span in message["spans"]:
                for first, last, m in owners.get(span["file_name"], []):
                    if span["is_primary"] and first <= span["line_start"] and span["line_end"] <= last:
                        wrong.add(m["number"])
        if not wrong:
            sys.exit(f"what is wrong is in no mutant:\n{stderr}")
        unviable += [m for m in viable if m["number"] in wrong]
        viable = [m for m in viable if m["number"] not in wrong]


class Test:
    """Tests that run in one process, and what is known of them."""

    def __init__(self, executable, folder, name, arguments, variables):
        self.executable, self.folder, self.name = executable, folder, name
        self.arguments, self.variables = arguments, variables
        self.seconds, self.noticed = 0.0, 0

    def run(self, number, limit):
        """How the tests end with a mutant, and after how long."""
        variables = {
            "MUTANT": str(number),
            "INSTA_UPDATE": "no",
            "CARGO_MANIFEST_DIR": self.folder,
            **self.variables,
        }
        # Time of the processor, so that a machine with much else to do notices no more than another.
        seconds = int(limit) + 1
        process = subprocess.Popen(
            [self.executable, "-q", "--exact", *self.arguments],
            cwd=self.folder,
            env={**os.environ, **variables},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5)),
        )
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        taken = used.ru_utime + used.ru_stime
        if process.returncode == 0:
            return "passed", taken
        return ("timeout" if taken >= seconds else "failed"), taken

    def measure(self):
        ended, self.seconds = self.run(0, 600)
        if ended != "passed":
            sys.exit(f"{self.name} fails without a mutant")


def tests(found):
    """All tests of what cargo has built: the slow ones alone, the others of an executable together."""
    all_tests = []
    for m in found:
        if m.get("reason") != "compiler-artifact" or not m["profile"]["test"] or not m["executable"]:
            continue
        executable, folder = m["executable"], os.path.dirname(m["manifest_path"])
        listing = subprocess.run([executable, "--list", "--format", "terse"], check=True, capture_output=True, text=True)
        slow = []
        for line in listing.stdout.splitlines():
            name, kind = line.rsplit(": ", 1)
            if kind != "test":
                continue
            is_rule_test = name.endswith(RULE_TEST)
            test = Test(executable, folder, name, [name], RULE_TEST_VARIABLES if is_rule_test else {})
            test.measure()
            if is_rule_test or test.seconds > SLOW:
                slow.append(test)
        skipped = [argument for test in slow for argument in ("--skip", test.name)]
        quick = Test(executable, folder, m["target"]["name"], skipped, {})
        quick.measure()
        all_tests += [quick, *slow]
    return all_tests


def notice(mutant, all_tests):
    """What became of a mutant."""
    for test in sorted(all_tests, key=lambda t: t.seconds / (1 + t.noticed)):
        ended, _ = test.run(mutant["number"], 3 + 5 * test.seconds)
        if ended != "passed":
            test.noticed += 1
            return {"ended": ended, "by": test.name}
    return {"ended": "survived", "by": None}


def summary(part, results):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "mutants.toml"), "rb") as f:
        explained = [re.compile(e["mutant"]) for e in tomllib.load(f).get("equivalent", [])]
    count = collections.Counter(r["ended"] for r in results)
    survivors = [r["name"] for r in results if r["ended"] == "survived"]
    open_ones = [s for s in survivors if not any(e.search(s) for e in explained)]
    print(f"{part}: {len(results)} mutants, {dict(count)}; {len(survivors) - len(open_ones)} survivors are explained")
    for s in open_ones:
        print(f"  {s}")
    return not open_ones


def main():
    root, parts = os.path.abspath(sys.argv[1]), sys.argv[2:]
    viable, unviable, found = prepare(root, parts)
    print(f"{len(viable)} mutants, {len(unviable)} do not compile", flush=True)
    all_tests = tests(found)
    for part in parts:
        path = os.path.join(root, f"{part}.jsonl")
        results = {}
        if os.path.exists(path):
            with open(path) as f:
                results = {r["name"]: r for r in map(json.loads, f)}
        with open(path, "a") as log:
            for m in (m for m in viable + unviable if m["part"] == part):
                if results.get(m["name"], {}).get("ended", "survived") != "survived":
                    continue
                how = {"ended": "unviable"} if m in unviable else notice(m, all_tests)
                result = {"name": m["name"], **how}
                results[m["name"]] = result
                log.write(json.dumps(result) + "\n")
                log.flush()
                if how["ended"] == "survived":
                    print(m["name"], flush=True)
        summary(part, list(results.values()))


if __name__ == "__main__":
    main()
