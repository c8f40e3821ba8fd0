"""Certified verification of C programs and hardware models.

    >>> import trellis
    >>> result = trellis.check("program.c", timeout=60)
    >>> result.verdict
    <Verdict.FALSE: 'false'>
    >>> print(result.error.place)
    program.c:12:3

Every check is a run of the program ``trellis``, which is in the wheel; see :func:`executable`. Results of
``trellis bench`` are read by :mod:`trellis.bench`.
"""

from ._check import (
    Assumption,
    Engine,
    Error,
    Place,
    Result,
    Step,
    TrellisError,
    Verdict,
    check,
    executable,
)

__all__ = [
    "Assumption",
    "Engine",
    "Error",
    "Place",
    "Result",
    "Step",
    "TrellisError",
    "Verdict",
    "check",
    "executable",
]
