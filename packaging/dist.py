#!/usr/bin/env python3
"""Makes packages of Trellis: a relocatable archive, a Debian package, a Python wheel.

    packaging/dist.py archive            # trellis-VERSION-x86_64-linux.tar.xz
    packaging/dist.py wheel
    packaging/dist.py deb                # needs cargo-deb

What is built is the release executable with its C++ library linked in, so that a machine needs no more than the C library; with --bin and
--plugins it is what was built already. Everything is written to the folder of --to.
"""

import argparse
import base64
import gzip
import hashlib
import json
import os
import re
import shutil
import stat
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: Under the GPL is what this one loads; whoever wants it builds it.
LEFT_OUT = {"libtrellis_backend_yices.so"}
#: Test doubles and examples of plugins, which `cargo test` leaves beside the others.
NOT_SHIPPED = re.compile(r"misbehave|exhaustive|explicit|template")
SHELLS = {
    "bash": "share/bash-completion/completions/trellis",
    "zsh": "share/zsh/site-functions/_trellis",
    "fish": "share/fish/vendor_completions.d/trellis.fish",
}


def fail(message):
    sys.exit(f"dist: {message}")


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def version():
    text = (ROOT / "Cargo.toml").read_text()
    return re.search(r'^version = "(.*)"', text, re.M).group(1)


def metadata():
    text = subprocess.run(
        ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", "x86_64-unknown-linux-gnu"],
        cwd=ROOT, check=True, stdout=subprocess.PIPE, encoding="utf-8",
    ).stdout
    return json.loads(text)


def build():
    """The release executable, and the folder of its plugins."""
    target = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
    static = target / "static"
    static.mkdir(parents=True, exist_ok=True)
    # A folder in which the linker finds the C++ library only as an archive.
    library = subprocess.run(
        ["c++", "-print-file-name=libstdc++.a"], check=True, stdout=subprocess.PIPE, encoding="utf-8"
    ).stdout.strip()
    link = static / "libstdc++.a"
    if not link.exists():
        link.symlink_to(Path(library).resolve())
    run("cargo", "rustc", "--release", "--locked", "-p", "trellis-cli", "--bin", "trellis",
        "--", "-L", f"native={static}", cwd=ROOT)
    return target / "release/trellis", target / "release/deps"


def licences():
    """Whose code is in the executable, and under which licence."""
    data = metadata()
    packages = {p["id"]: p for p in data["packages"]}
    nodes = {n["id"]: n for n in data["resolve"]["nodes"]}
    todo = [p["id"] for p in data["packages"] if p["name"] in ("trellis-cli", "trellis")]
    seen = set()
    while todo:
        one = todo.pop()
        if one in seen:
            continue
        seen.add(one)
        for dep in nodes[one]["deps"]:
            if any(k["kind"] is None for k in dep["dep_kinds"]):
                todo.append(dep["pkg"])
    foreign = sorted(
        (p["name"], p["version"], p["license"] or "see its repository", p["repository"] or "")
        for p in (packages[i] for i in seen)
        if p["source"]
    )
    lines = ["Trellis is licensed under MIT or Apache-2.0, at your choice. It contains:", ""]
    lines += [f"{name} {number}: {licence} {url}".rstrip() for name, number, licence, url in foreign]
    return "\n".join(lines) + "\n"


def tree(binary, plugins, to):
    """The files of a package below `to`: bin, lib/trellis, share."""
    binary, plugins = Path(binary), Path(plugins)
    if not binary.is_file():
        fail(f"{binary}: no such executable")
    (to / "bin").mkdir(parents=True)
    (to / "lib/trellis").mkdir(parents=True)
    shutil.copy2(binary, to / "bin/trellis")
    for script in ["trellis-svcomp", "trellis-ci"]:
        shutil.copy2(ROOT / "packaging" / script, to / "bin" / script)
    python = to / "share/python/trellis"
    shutil.copytree(ROOT / "python/trellis", python, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "packaging/benchexec", to / "share/trellis/benchexec")
    libraries = sorted(plugins.glob("libtrellis_engine_*.so")) + sorted(plugins.glob("libtrellis_backend_*.so"))
    libraries = [p for p in libraries if p.name not in LEFT_OUT and not NOT_SHIPPED.search(p.name)]
    if not libraries:
        fail(f"{plugins}: no engines")
    for library in libraries:
        shutil.copy2(library, to / "lib/trellis" / library.name)
    for file in [to / "bin/trellis", *(to / "lib/trellis").iterdir()]:
        run("strip", file)
    share = to / "share/doc/trellis"
    share.mkdir(parents=True)
    for name in ["LICENSE-MIT", "LICENSE-APACHE", "README.md", "CHANGELOG.md"]:
        shutil.copy2(ROOT / name, share / name)
    (share / "THIRD-PARTY").write_text(licences())
    shutil.copytree(ROOT / "examples", share / "examples")
    for shell, path in SHELLS.items():
        (to / path).parent.mkdir(parents=True)
        script = subprocess.run([to / "bin/trellis", "completions", shell], check=True, stdout=subprocess.PIPE)
        (to / path).write_bytes(script.stdout)
    pages = to / "share/man/man1"
    pages.mkdir(parents=True)
    run(to / "bin/trellis", "man", pages)
    for page in pages.iterdir():
        packed = gzip.compress(page.read_bytes(), mtime=0)
        page.with_name(page.name + ".gz").write_bytes(packed)
        page.unlink()
    shutil.copy2(ROOT / "packaging/smoke-test", to / "smoke-test")


def archive(binary, plugins, to):
    name = f"trellis-{version()}-x86_64-linux"
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch) / name
        tree(binary, plugins, root)
        path = to / f"{name}.tar.xz"
        with tarfile.open(path, "w:xz", preset=3) as file:
            file.add(root, name, filter=anonymous)
    return path


def anonymous(member):
    member.uid = member.gid = 0
    member.uname = member.gname = "root"
    return member


def glibc(files):
    """The newest version of the C library that some file needs."""
    newest = (2, 17)
    for file in files:
        text = subprocess.run(["objdump", "-T", file], stdout=subprocess.PIPE, encoding="utf-8").stdout
        for major, minor in re.findall(r"GLIBC_(\d+)\.(\d+)", text):
            newest = max(newest, (int(major), int(minor)))
    return newest


def wheel(binary, plugins, to):
    """The Python package with the executable inside. A wheel is a zip file with a list of what is in it."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        shutil.copytree(ROOT / "python/trellis", root / "trellis", ignore=shutil.ignore_patterns("__pycache__"))
        tree(binary, plugins, root / "trellis/dist")
        dist = root / "trellis/dist"
        shutil.rmtree(dist / "share/man")
        shutil.rmtree(dist / "share/python")
        (dist / "bin/trellis-ci").unlink()
        for path in SHELLS.values():
            shutil.rmtree(dist / Path(*Path(path).parts[:2]))
        (dist / "smoke-test").unlink()
        major, minor = glibc([dist / "bin/trellis", *(dist / "lib/trellis").iterdir()])
        tag = f"py3-none-manylinux_{major}_{minor}_x86_64"
        info = root / f"trellis_verifier-{version()}.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(
            f"Metadata-Version: 2.1\nName: trellis-verifier\nVersion: {version()}\n"
            "Summary: Certified verification of C programs and hardware models\n"
            "License: MIT OR Apache-2.0\nRequires-Python: >=3.8\n"
            "Provides-Extra: pandas\nRequires-Dist: pandas; extra == 'pandas'\n"
        )
        (info / "WHEEL").write_text(
            f"Wheel-Version: 1.0\nGenerator: trellis-dist\nRoot-Is-Purelib: false\nTag: {tag}\n"
        )
        (info / "entry_points.txt").write_text("[console_scripts]\ntrellis = trellis.__main__:main\ntrellis-ci = trellis.ci:main\n")
        path = to / f"trellis_verifier-{version()}-{tag}.whl"
        pack(root, info, path)
    return path


def pack(root, info, path):
    record = []
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as file:
        for one in sorted(p for p in root.rglob("*") if p.is_file()):
            name, data = one.relative_to(root).as_posix(), one.read_bytes()
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            mode = 0o755 if one.stat().st_mode & stat.S_IXUSR else 0o644
            entry.external_attr = (stat.S_IFREG | mode) << 16
            file.writestr(entry, data)
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(data)}")
        name = f"{info.name}/RECORD"
        file.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), "\n".join([*record, f"{name},,"]) + "\n")


def deb(binary, plugins, to):
    """By cargo-deb, from the same files; what they are is in cli/Cargo.toml."""
    if shutil.which("cargo-deb") is None:
        fail("cargo-deb is not installed (cargo install cargo-deb --locked)")
    # Its paths are relative to the package.
    stage = ROOT / "target/deb-stage"
    shutil.rmtree(stage, ignore_errors=True)
    tree(binary, plugins, stage)
    run("cargo", "deb", "--no-build", "--no-strip", "-p", "trellis-cli", "--output", to, cwd=ROOT)
    shutil.rmtree(stage)
    return max(to.glob("trellis_*.deb"), key=lambda p: p.stat().st_mtime)


KINDS = {"archive": archive, "wheel": wheel, "deb": deb}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="+", choices=sorted(KINDS))
    parser.add_argument("--bin", type=Path, help="an executable that is built already")
    parser.add_argument("--plugins", type=Path, help="the folder of its plugins [default: beside it]")
    parser.add_argument("--to", type=Path, default=Path("dist"))
    args = parser.parse_args()
    args.to.mkdir(parents=True, exist_ok=True)
    if args.bin:
        binary, plugins = args.bin, args.plugins or args.bin.parent
    else:
        binary, plugins = build()
    for kind in args.kinds:
        path = KINDS[kind](binary, plugins, args.to.resolve())
        print(f"{path} {path.stat().st_size / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
