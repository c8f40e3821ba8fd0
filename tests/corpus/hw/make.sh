#!/bin/sh
# Makes the models from the Verilog sources: NAME-safe, and NAME-unsafe with the macro BUG, each as BTOR2
# and as AIGER. Needs yosys; the tests use what is here.
set -e
cd "$(dirname "$0")"
for source in *.v; do
  name=${source%.v}
  for kind in safe unsafe; do
    define=
    [ $kind = unsafe ] && define=-DBUG
    common="read_verilog -formal $define $source; prep -top top; flatten; setundef -undriven -anyseq; setundef -zero"
    yosys -q -p "$common; memory_nordff; dffunmap; clean; write_btor $name-$kind.btor2"
    yosys -q -p "$common; memory_map; opt; techmap; opt; dffunmap; opt_clean; aigmap; opt_clean; setundef -zero; \
      write_aiger -symbols $name-$kind.aig"
  done
done
