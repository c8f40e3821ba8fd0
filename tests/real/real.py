#!/usr/bin/env python3
"""Checks real C libraries: fetches them from their packages, and runs `trellis check` with our harnesses.

    tests/real/real.py fetch                    packages into target/real (cargo and apt-get, as they are set up here)
    tests/real/real.py check [NAME...]          a table of verdicts, CPU times and reasons
    tests/real/real.py command NAME             the command line of one check

`libraries.toml` says which packages and what of them; `harness/NAME.c` calls the library with bounded input of any content. Nothing of
the libraries is part of this repository. Debian's sources are those of the distribution's release, without its patches; where
a package or its version is not to be had, its rows are skipped and said to be.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tarfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
PLACE = REPOSITORY / "target" / "real"


def libraries():
    return tomllib.loads((HERE / "libraries.toml").read_text())["library"]


def root(library):
    if "crate" in library:
        return PLACE / "crates" / "vendor" / library["crate"] / library["root"]
    return PLACE / "debian" / library["root"]


def fetch_crates():
    """`cargo vendor` of a package that needs the crates."""
    place = PLACE / "crates"
    place.mkdir(parents=True, exist_ok=True)
    wanted = {(l["crate"], l["version"]) for l in libraries() if "crate" in l}
    lines = ["[package]", 'name = "real"', 'version = "0.0.0"', 'edition = "2021"', "[workspace]", "[dependencies]"]
    lines += [f'{name} = "={version}"' for name, version in sorted(wanted)]
    (place / "Cargo.toml").write_text("\n".join(lines) + "\n")
    (place / "src").mkdir(exist_ok=True)
    (place / "src" / "lib.rs").write_text("")
    subprocess.run(["cargo", "vendor", "--quiet", "vendor"], cwd=place, check=True, stdout=subprocess.DEVNULL)


def apt_sources(place):
    """The lists of apt with sources, kept apart from the machine's own."""
    lists = []
    for path in sorted(pathlib.Path("/etc/apt").glob("sources.list*/*")) + [pathlib.Path("/etc/apt/sources.list")]:
        if path.suffix == ".sources" and "debian" in path.name:
            lists.append(re.sub(r"(?m)^Types:.*$", "Types: deb-src", path.read_text()))
    (place / "real.sources").write_text("\n\n".join(lists))
    (place / "lists" / "partial").mkdir(parents=True, exist_ok=True)
    options = {
        "Dir::Etc::sourcelist": place / "real.sources",
        "Dir::Etc::sourceparts": "-",
        "Dir::State::lists": place / "lists",
        "APT::Sandbox::User": "root",
    }
    return [word for name, value in options.items() for word in ("-o", f"{name}={value}")]


def fetch_debian():
    """Upstream's archives from Debian's sources."""
    place = PLACE / "debian"
    place.mkdir(parents=True, exist_ok=True)
    options = apt_sources(place)
    subprocess.run(["apt-get", "-qq", *options, "update"], check=True)
    for name in sorted({l["debian"] for l in libraries() if "debian" in l}):
        done = subprocess.run(["apt-get", "-qq", *options, "source", "--tar-only", name], cwd=place)
        if done.returncode != 0:
            print(f"{name}: not to be had", file=sys.stderr)
    for archive in sorted(place.glob("*.orig.tar.*")):
        with tarfile.open(archive) as files:
            files.extractall(place, filter="data")


def fetch(_):
    if shutil.which("apt-get"):
        fetch_debian()
    fetch_crates()
    for library in libraries():
        if not root(library).is_dir():
            print(f"{library['name']}: {root(library)} is not there", file=sys.stderr)


def command(library, arguments):
    base = root(library)
    words = [arguments.trellis, "check", HERE / "harness" / f"{library['name']}.c"]
    words += [base / file for file in library.get("files", [])]
    words += ["-I", base, *[flag.format(root=base) for flag in library.get("flags", [])]]
    words += ["--64", "--timeout", f"{20 * arguments.seconds}s", *arguments.option]
    return [str(word) for word in words]


def cpu_seconds(root):
    """CPU time of a process and of all that it has started, those that ended included."""
    children, times = {}, {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        pid = int(stat.parent.name)
        children.setdefault(int(fields[1]), []).append(pid)
        times[pid] = sum(int(field) for field in fields[11:15])
    total, todo = 0, [root]
    while todo:
        pid = todo.pop()
        total += times.get(pid, 0)
        todo += children.get(pid, [])
    return total / os.sysconf("SC_CLK_TCK")


def waited_for():
    """CPU time of all children that ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(library, arguments):
    """Verdict and CPU seconds."""
    log = PLACE / f"{library['name']}.log"
    spent, before, over = 0.0, waited_for(), False
    with open(log, "w") as out:
        process = subprocess.Popen(command(library, arguments), stdout=out, stderr=out)
        while True:
            try:
                process.wait(timeout=0.2)
                break
            except subprocess.TimeoutExpired:
                spent = max(spent, cpu_seconds(process.pid))
                # Once: a second signal ends it before it has said what it knows.
                if spent > arguments.seconds and not over:
                    over = True
                    process.send_signal(signal.SIGTERM)
    said = re.findall(r"(?m)^VERDICT: (.*)$", log.read_text())
    if over and said and said[-1].startswith("unknown"):
        said = [f"unknown (after {arguments.seconds} s of CPU time)"]
    spent = max(spent, waited_for() - before)
    return (said[-1] if said else f"exit code {process.returncode}, see {log}"), spent


def chosen(names):
    known = {library["name"]: library for library in libraries()}
    for name in names:
        if name not in known:
            sys.exit(f"no library {name}; there are {', '.join(known)}")
    return [known[name] for name in names] or list(known.values())


def check(arguments):
    print("| library | what is checked | verdict | CPU s |\n|---|---|---|---|")
    decided = 0
    rows = chosen(arguments.names)
    for library in rows:
        if not root(library).is_dir():
            print(f"| {library['name']} | {library['what']} | not fetched | |", flush=True)
            continue
        verdict, seconds = run(library, arguments)
        decided += verdict.startswith(("true", "false"))
        print(f"| {library['name']} | {library['what']} | {verdict} | {seconds:.1f} |", flush=True)
    print(f"\n{decided} of {len(rows)} decided", flush=True)


def show(arguments):
    for library in chosen(arguments.names):
        print(" ".join(command(library, arguments)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = parser.add_subparsers(required=True)
    parts.add_parser("fetch").set_defaults(run=fetch)
    for name, action in [("check", check), ("command", show)]:
        part = parts.add_parser(name)
        part.add_argument("names", nargs="*")
        part.add_argument("--trellis", default=str(REPOSITORY / "target" / "release" / "trellis"))
        part.add_argument("--seconds", type=int, default=60)
        part.add_argument("--option", action="append", default=[], help="one more word for trellis, as --option=-v")
        part.set_defaults(run=action)
    arguments = parser.parse_args()
    os.chdir(REPOSITORY)
    arguments.run(arguments)


if __name__ == "__main__":
    main()
