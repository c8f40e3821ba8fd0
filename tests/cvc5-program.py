"""cvc5 as an SMT-LIB program on standard input, made of the parser and solver in its Python wheel.

Commands are read line by line; a command may not span lines. Options on the command line are accepted
as `--name` and `--name=value` of cvc5 itself.
"""

import sys

import cvc5


def main():
    terms = cvc5.TermManager()
    solver = cvc5.Solver(terms)
    for option in sys.argv[1:]:
        name, _, value = option.lstrip("-").partition("=")
        if name != "lang":
            solver.setOption(name, value or "true")
    symbols = cvc5.SymbolManager(terms)
    parser = cvc5.InputParser(solver, symbols)
    for line in sys.stdin:
        try:
            parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, line, "stdin")
            while True:
                command = parser.nextCommand()
                if command.isNull():
                    break
                sys.stdout.write(command.invoke(solver, symbols))
                sys.stdout.flush()
                if command.getCommandName() == "exit":
                    return
        except RuntimeError as error:
            text = str(error).replace('"', '""')
            print(f'(error "{text}")', flush=True)


main()
