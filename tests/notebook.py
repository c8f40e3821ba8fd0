#!/usr/bin/env python3
"""Runs the code cells of a notebook, one after the other, as somebody who reads it would.

    notebook.py FILE.ipynb
"""

import json
import sys
from pathlib import Path


def main():
    notebook = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    names = {"__name__": "__main__"}
    count = 0
    for cell in notebook["cells"]:
        if cell["cell_type"] != "code":
            continue
        count += 1
        code = "".join(cell["source"])
        exec(compile(code, f"cell {count}", "exec"), names)
    print(f"{count} cells")


main()
