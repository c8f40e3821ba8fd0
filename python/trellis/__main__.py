"""``python -m trellis`` and the command ``trellis`` of the wheel: the program itself."""

import os
import sys

from ._check import TrellisError, executable


def main() -> None:
    try:
        program = executable()
    except TrellisError as e:
        sys.exit(f"trellis: {e}")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
