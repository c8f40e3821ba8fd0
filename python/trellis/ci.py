"""Checks the C programs of a repository, for continuous integration and before commits.

    trellis-ci --since origin/main --baseline trellis-baseline.sarif --sarif trellis.sarif
    trellis-ci file.c other.c

Without files, all programs that changed since the commit of --since are checked, or all that there are: files that git knows, end in .c
and have a function `main`. When a header has changed, all are checked. What is found is printed in one line each, as compilers do,
and written to one SARIF log. Ends with 0 where no new error was found, 10 where there is one, and 2 where something could not be checked at all.
"""

from __future__ import annotations

import argparse
import json
import posixpath
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional

from ._check import TrellisError, _place, executable

MAIN = re.compile(r"^[^#/*\n]*\bmain\s*\(", re.M)


def git(*args: str) -> List[str]:
    ended = subprocess.run(["git", *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
    if ended.returncode != 0:
        raise TrellisError(f"git {args[0]}: {ended.stderr.strip()}", 2)
    return [line for line in ended.stdout.split("\0") if line]


def programs(since: Optional[str]) -> List[str]:
    """The files that have to be checked."""
    files = git("ls-files", "-z", "*.c")
    if since:
        changed = git("diff", "--name-only", "-z", "--diff-filter=d", since, "--", "*.c", "*.h")
        if not any(name.endswith(".h") for name in changed):
            # A program is also made of what it includes by name.
            names = {Path(name).name for name in changed}
            files = [f for f in files if f in changed or _includes(f, names)]
    return [file for file in files if _text(file) and MAIN.search(_text(file))]


def _text(file: str) -> str:
    try:
        return Path(file).read_text(errors="replace")
    except OSError:
        return ""


def _includes(file: str, names: "set[str]") -> bool:
    included = re.findall(r'^\s*#\s*include\s*"(?:[^"]*/)?([^"/]+)"', _text(file), re.M)
    return any(name in names for name in included)


def merge(logs: List[Dict[str, Any]]) -> Dict[str, Any]:
    """One log of one run from several."""
    first = json.loads(json.dumps(logs[0]))
    run = first["runs"][0]
    rules = {rule["id"]: rule for rule in run["tool"]["driver"]["rules"]}
    for log in logs[1:]:
        other = log["runs"][0]
        for rule in other["tool"]["driver"]["rules"]:
            rules.setdefault(rule["id"], rule)
        run["results"] += other["results"]
        run["artifacts"] += [a for a in other["artifacts"] if a not in run["artifacts"]]
        run["invocations"] += other["invocations"]
    run["tool"]["driver"]["rules"] = [rules[name] for name in sorted(rules)]
    return first


def check(file: str, options: List[str], folder: Path) -> Dict[str, Any]:
    log = folder / "log.sarif"
    command = [executable(), "check", "--quiet", *options, f"--out=sarif={log}", "--", file]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", errors="replace")
    if ended.returncode not in (0, 10, 20):
        raise TrellisError(ended.stderr.strip() or f"{executable()} ended with {ended.returncode}", 2)
    return shortened(json.loads(log.read_text(encoding="utf-8")))


def shortened(value: Any) -> Any:
    """The same with places by their shortest names: code hosts do not look for `check/../src/line.c`."""
    if isinstance(value, dict):
        return {k: posixpath.normpath(v) if k == "uri" and ":" not in v else shortened(v) for k, v in value.items()}
    if isinstance(value, list):
        return [shortened(one) for one in value]
    return value


def show(file: str, log: Dict[str, Any]) -> int:
    """Says what came out; how many new errors."""
    results = log["runs"][0]["results"]
    errors = 0
    for result in results:
        text = result["message"]["text"]
        where = result.get("locations")
        place = str(_place(where[0])) if where else file
        if result["kind"] == "fail":
            errors += 1
            print(f"{place}: error: {text}")
        elif result["kind"] == "open":
            print(f"{file}: note: {text}")
        elif result["kind"] == "review":
            print(f"{place}: note: {text}")
    if all(result["kind"] in ("pass", "review") for result in results):
        print(f"{file}: holds")
    sys.stdout.flush()
    return errors


def main(argv: Optional[List[str]] = None) -> int:
    parser = argparse.ArgumentParser(
        prog="trellis-ci", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", help="programs; those without a function main are left out")
    parser.add_argument("--since", metavar="COMMIT", help="only what changed since then")
    parser.add_argument("--baseline", type=Path, metavar="FILE", help="a SARIF log of known errors; need not exist")
    parser.add_argument("--sarif", type=Path, metavar="FILE", help="where to write the log")
    parser.add_argument("--timeout", default="60s", metavar="TIME", help="for each program [default: 60s]")
    parser.add_argument("--unknown-fails", action="store_true", help="end with 20 where something is not decided")
    parser.add_argument("--option", action="append", default=[], metavar="OPTION", help="for `trellis check`; any number")
    args = parser.parse_args(argv)
    options = [f"--timeout={args.timeout}", *args.option]
    if args.baseline and args.baseline.exists():
        options.append(f"--baseline={args.baseline}")
    logs, errors, failed, open_ = [], 0, 0, 0
    try:
        files = [f for f in args.files if MAIN.search(_text(f))] if args.files else programs(args.since)
    except TrellisError as e:
        print(f"trellis-ci: {e}", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="trellis-") as folder:
        for file in files:
            try:
                log = check(file, options, Path(folder))
            except TrellisError as e:
                failed += 1
                print(f"{file}: not checked: {e}", file=sys.stderr)
                continue
            logs.append(log)
            errors += show(file, log)
            open_ += any(r["kind"] == "open" for r in log["runs"][0]["results"])
    if args.sarif:
        empty = {"version": "2.1.0", "runs": [{"tool": {"driver": {"name": "Trellis", "rules": []}}, "results": []}]}
        args.sarif.write_text(json.dumps(merge(logs) if logs else empty, indent=2) + "\n", encoding="utf-8")
    print(f"{len(files)} programs: {errors} with a new error, {open_} not decided, {failed} not checked")
    if errors:
        return 10
    if failed:
        return 2
    return 20 if open_ and args.unknown_fails else 0


if __name__ == "__main__":
    sys.exit(main())
