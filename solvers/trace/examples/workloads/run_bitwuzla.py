"""Bitwuzla on standard input, for `run:python3 .../run_bitwuzla.py`: its package on PyPI has no program. `PYTHONPATH` says where it is."""

import sys

import bitwuzla

terms = bitwuzla.TermManager()
bitwuzla.Parser(terms, bitwuzla.Options()).parse(sys.stdin.read(), parse_file=False)
