"""One check, and what came of it."""

from __future__ import annotations

import enum
import json
import os
import shutil
import subprocess
import tempfile
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Mapping, Optional, Sequence, Union

PathLike = Union[str, "os.PathLike[str]"]

#: The layout of reports that is understood here.
SCHEMA = "trellis-check/2"
#: Exit codes that go with a verdict: true, false, unknown.
_ANSWERS = (0, 10, 20)


class Verdict(enum.Enum):
    """What is known of a program."""

    TRUE = "true"  #: No error can be reached; a proof was checked.
    FALSE = "false"  #: An error can be reached; an execution was replayed.
    UNKNOWN = "unknown"  #: Neither; ``Result.reason`` says why.

    def __bool__(self) -> bool:
        raise TypeError("a verdict is one of three: compare it with Verdict.TRUE or Verdict.FALSE")


class TrellisError(Exception):
    """There was nothing to check: a file that cannot be read, a program that is none, an option that is not known."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        #: The exit code of ``trellis``: 2 for wrong use or input, 1 for a bug of its own.
        self.code = code


@dataclass(frozen=True)
class Place:
    """A place in a source."""

    file: str
    line: int
    column: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True)
class Step:
    """A step of an execution that leads to an error."""

    place: Place
    #: What happened, such as ``x = 7``.
    text: str
    #: How many calls are under way.
    depth: int
    #: Its number; none for rounds of a loop that are not shown.
    number: Optional[int] = None

    def __str__(self) -> str:
        return f"{self.place}: {'  ' * self.depth}{self.text}"


@dataclass(frozen=True)
class Error:
    """An error that can be reached."""

    #: What is violated, such as ``valid-deref``.
    property: str
    #: Where.
    place: Optional[Place]
    #: How, from the beginning of the program.
    steps: Sequence[Step]
    #: What the place is known by, whatever its line; see ``trellis check --baseline``.
    fingerprint: Optional[str] = None


@dataclass(frozen=True)
class Assumption:
    """What a verdict takes for granted."""

    name: str
    detail: str
    explanation: str
    places: Sequence[Place]


@dataclass(frozen=True)
class Engine:
    """What became of an engine."""

    name: str
    outcome: str
    queries: int


@dataclass(frozen=True)
class Result:
    """What came of a check."""

    verdict: Verdict
    #: Where the verdict is unknown, why; where it is true, that there was nothing to check.
    reason: Optional[str]
    #: Where the verdict is false.
    error: Optional[Error]
    #: Where the verdict is true: what holds at places of the program, by the names of places in the intermediate language.
    invariants: Mapping[str, str]
    #: What was checked.
    properties: Sequence[str]
    assumptions: Sequence[Assumption]
    #: The engine whose answer was certified.
    decided_by: Optional[str]
    #: Who checked the proof, or ``replay``.
    certified_by: Optional[str]
    engines: Sequence[Engine]
    wall_seconds: float
    version: str
    #: The whole report, as ``--out json`` writes it.
    report: Mapping[str, Any] = field(repr=False)
    #: What was warned of.
    messages: str = field(default="", repr=False)

    def __str__(self) -> str:
        if self.error is not None:
            return f"false({self.error.property}) at {self.error.place}"
        if self.verdict is Verdict.UNKNOWN:
            return f"unknown ({self.reason})"
        return self.verdict.value


def executable() -> str:
    """The program that is run: that of the variable ``TRELLIS``, that of this package, or that on the path."""
    named = os.environ.get("TRELLIS")
    if named:
        return named
    packaged = Path(__file__).parent / "dist" / "bin" / "trellis"
    if packaged.is_file():
        return str(packaged)
    found = shutil.which("trellis")
    if found is None:
        raise TrellisError("there is no `trellis`, neither in this package nor on the path", 2)
    return found


def check(
    source: Union[PathLike, Sequence[PathLike], None] = None,
    *,
    text: Optional[str] = None,
    language: Optional[str] = None,
    properties: Union[str, Sequence[str], None] = None,
    property_file: Optional[PathLike] = None,
    bits: Optional[int] = None,
    function: Optional[str] = None,
    include_dirs: Sequence[PathLike] = (),
    defines: Mapping[str, Optional[str]] = {},
    assume: Sequence[str] = (),
    strict: bool = False,
    pipeline: Optional[PathLike] = None,
    engine: Optional[str] = None,
    solver: Optional[str] = None,
    timeout: Optional[float] = None,
    memory: Optional[str] = None,
    baseline: Optional[PathLike] = None,
    args: Sequence[str] = (),
) -> Result:
    """Checks a program: can an error be reached?

    ``source`` is a file, or several C files that are linked as one program; ``text`` is the program itself, in C unless
    ``language`` (c, ivl, aag, btor2) says otherwise, and is called ``text.c`` in places. ``properties`` are those of ``--check``, ``bits`` is 32 or 64, ``timeout`` is in seconds,
    ``memory`` is a size such as ``"4GiB"``. ``args`` are further arguments of ``trellis check``.

    Raises :class:`TrellisError` where there is nothing to check.
    """
    if (source is None) == (text is None):
        raise TypeError("either a source or a text is to be checked")
    command = [executable(), "check", "--quiet"]

    def option(name: str, value: object) -> None:
        if value is not None:
            command.append(f"{name}={value}")

    if isinstance(properties, str) or properties is None:
        option("--check", properties)
    else:
        option("--check", ",".join(properties))
    if bits not in (None, 32, 64):
        raise ValueError(f"bits are 32 or 64, not {bits!r}")
    if bits is not None:
        command.append(f"--{bits}")
    option("--property", property_file)
    option("--function", function)
    for folder in include_dirs:
        command.append(f"-I{os.fspath(folder)}")
    for name, value in defines.items():
        command.append(f"-D{name}" if value is None else f"-D{name}={value}")
    for name in assume:
        option("--assume", name)
    if strict:
        command.append("--strict")
    option("--pipeline", pipeline)
    option("--engine", engine)
    option("--solver", solver)
    option("--timeout", None if timeout is None else f"{timeout}s")
    option("--memory", memory)
    option("--baseline", baseline)
    if text is None:
        option("--language", language)
    command.extend(args)

    with tempfile.TemporaryDirectory(prefix="trellis-") as folder:
        report_file, log_file = Path(folder, "report.json"), Path(folder, "log.sarif")
        command += [f"--out=json={report_file}", f"--out=sarif={log_file}", "--"]
        if text is not None:
            # What comes by standard input is taken for preprocessed text.
            program = Path(folder, f"text.{language or 'c'}")
            program.write_text(text, encoding="utf-8")
            command.append(str(program))
        elif isinstance(source, (str, os.PathLike)):
            command.append(os.fspath(source))
        else:
            command += [os.fspath(file) for file in source]
        ended = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            errors="replace",
        )

        def plain(said: str) -> str:
            return said.replace(f"{folder}{os.sep}", "")

        if ended.returncode not in _ANSWERS:
            raise TrellisError(plain(ended.stderr.strip() or ended.stdout.strip()), ended.returncode)
        report = json.loads(plain(report_file.read_text(encoding="utf-8")))
        log = json.loads(plain(log_file.read_text(encoding="utf-8")))
    if report["schema"] != SCHEMA:
        raise TrellisError(f"`{report['schema']}` is a report of another version ({SCHEMA} is read here)", 1)
    return _result(report, log, plain(ended.stderr))


def _result(report: Mapping[str, Any], log: Mapping[str, Any], messages: str) -> Result:
    verdict = Verdict(report["verdict"])
    error = None
    if verdict is Verdict.FALSE:
        failed = next(r for r in log["runs"][0]["results"] if r["kind"] == "fail")
        flows = failed.get("codeFlows", [])
        steps = [_step(s) for s in flows[0]["threadFlows"][0]["locations"]] if flows else []
        where = failed.get("locations", [])
        error = Error(
            property=report["property"],
            place=_place(where[0]) if where else None,
            steps=tuple(steps),
            fingerprint=report.get("fingerprint"),
        )
    return Result(
        verdict=verdict,
        reason=report["reason"],
        error=error,
        invariants=dict(report["invariants"] or {}),
        properties=tuple(report["properties"]),
        assumptions=tuple(_assumption(a) for a in report["assumptions"]),
        decided_by=report["decided_by"],
        certified_by=report["certified_by"],
        engines=tuple(_engine(e) for e in report["engines"]),
        wall_seconds=report["wall_seconds"],
        version=report["version"],
        report=report,
        messages=messages,
    )


def _place(location: Mapping[str, Any]) -> Place:
    physical = location["physicalLocation"]
    uri = physical["artifactLocation"]["uri"]
    file = urllib.parse.unquote(uri[len("file://") :] if uri.startswith("file://") else uri)
    region = physical["region"]
    return Place(file, region["startLine"], region["startColumn"])


def _step(step: Mapping[str, Any]) -> Step:
    location = step["location"]
    return Step(
        place=_place(location),
        text=location["message"]["text"],
        depth=step["nestingLevel"],
        number=step.get("executionOrder"),
    )


def _assumption(assumed: Mapping[str, Any]) -> Assumption:
    places = (Place(p["file"], p["line"], p["column"]) for p in assumed["places"])
    return Assumption(assumed["name"], assumed["detail"], assumed["explanation"], tuple(places))


def _engine(engine: Mapping[str, Any]) -> Engine:
    queries = engine.get("queries", {}).values()
    count = sum(q["sat"] + q["unsat"] + q["unknown"] for q in queries)
    outcome = engine.get("outcome") or engine.get("end") or ""
    return Engine(engine["name"], str(outcome), count)
