"""Results of ``trellis bench``.

    >>> from trellis import bench
    >>> results = bench.read("bench.jsonl")
    >>> frame = results.frame()          # where pandas is installed
    >>> frame.groupby("tool").score.sum()
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

if TYPE_CHECKING:
    import pandas

#: The layout of files that is understood here.
SCHEMA = "trellis-bench/1"


@dataclass(frozen=True)
class Run:
    """One run of one tool on one task."""

    task: str
    property: str
    category: str
    tool: str
    #: The known answer: ``true``, ``false``, ``false(PROPERTY)``, or none.
    expected: Optional[str]
    #: The answer: ``true``, ``false``, ``false(PROPERTY)`` or ``unknown``.
    verdict: str
    #: How the run ended: ``done``, ``cpu limit``, ``signal 11``, ...
    status: str
    reason: str
    decided_by: str
    cpu_seconds: float
    wall_seconds: float
    memory_bytes: int
    queries: Optional[int]
    solver_seconds: Optional[float]
    figures: Mapping[str, float] = field(default_factory=dict)
    #: The machine, where the runs were made on several.
    host: Optional[str] = None

    @property
    def correct(self) -> Optional[bool]:
        """Whether the answer is right; none where there is none, or none is known."""
        if self.verdict == "unknown" or self.expected is None:
            return None
        answer, known = _parts(self.verdict), _parts(self.expected)
        if answer[0] != known[0]:
            return False
        return not answer[1] or not known[1] or answer[1] == known[1]

    @property
    def score(self) -> int:
        """By the rules of SV-COMP."""
        points = {(True, True): 2, (True, False): 1, (False, True): -32, (False, False): -16}
        return 0 if self.correct is None else points[self.correct, self.verdict == "true"]


def _parts(verdict: str) -> Sequence[str]:
    word, _, part = verdict.partition("(")
    return word, part.rstrip(")")


@dataclass(frozen=True)
class Results:
    """A file of results."""

    #: Sets, tools with their versions, limits, machine.
    header: Mapping[str, Any]
    runs: Sequence[Run]

    def frame(self) -> "pandas.DataFrame":
        """A table with a row for each run. Needs pandas."""
        try:
            import pandas
        except ImportError as e:
            raise ImportError("a frame needs pandas: pip install pandas") from e
        rows = []
        for run in self.runs:
            row = {k: v for k, v in vars(run).items() if k != "figures"}
            rows.append({**row, **run.figures, "correct": run.correct, "score": run.score})
        return pandas.DataFrame(rows)


def read(path: Union[str, "os.PathLike[str]"]) -> Results:
    """Reads a file of results. A last line that was cut off does not count, as for ``trellis bench`` itself."""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.endswith("\n")]
    if not lines:
        raise ValueError(f"{os.fspath(path)}: no results in it")
    header = json.loads(lines[0])
    if header.get("schema") != SCHEMA:
        raise ValueError(f"{os.fspath(path)}: schema {header.get('schema')!r}, expected {SCHEMA!r}")
    return Results(header, tuple(_run(json.loads(line)) for line in lines[1:]))


def _run(record: Mapping[str, Any]) -> Run:
    known = {name: record[name] for name in Run.__dataclass_fields__ if name in record}
    return Run(**known, host=(record.get("place") or {}).get("host"))
