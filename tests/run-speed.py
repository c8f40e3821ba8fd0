#!/usr/bin/env python3
"""How many steps a second the interpreter, the compiled instructions of the engine `run`, and gcc -O0 make of five programs.

    tests/run-speed.py target/release/trellis

A step is an edge of the program as the front end made it. Each program reads nothing and ends; the interpreter makes its first two million steps. CPU time, starting
included; what is compiled by gcc is executed so often that it takes a while. Memory is the engine's at its largest, in executions of the program over and over
that end after so many steps."""

import json
import os
import resource
import subprocess
import sys
import tempfile

ERROR = "extern void reach_error(void);\n#define WRONG(c) %s\n"
PROGRAMS = {
    "collatz": """int main(void) { unsigned most = 0; for (unsigned i = 1; i < 60000; i++) { unsigned long long n = i; unsigned k = 0;
        while (n != 1) { if (n % 2) n = 3 * n + 1; else n = n / 2; k++; } if (k > most) most = k; } if (WRONG(most > 1000)) reach_error(); return 0; }""",
    "sieve": """unsigned char s[200000]; int main(void) { unsigned c = 0; for (int r = 0; r < 8; r++) { c = 0; for (int i = 2; i < 200000; i++) s[i] = 1;
        for (int i = 2; i < 200000; i++) if (s[i]) { c++; for (int j = 2 * i; j < 200000; j += i) s[j] = 0; } } if (WRONG(c != 17984)) reach_error(); return 0; }""",
    "matrix": """int a[60][60], b[60][60], c[60][60]; int main(void) { for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) { a[i][j] = i + j; b[i][j] = i - j; }
        for (int r = 0; r < 6; r++) for (int i = 0; i < 60; i++) for (int j = 0; j < 60; j++) { int s = 0; for (int k = 0; k < 60; k++) s += a[i][k] * b[k][j];
        c[i][j] = s; } if (WRONG(c[0][0] != 70210)) reach_error(); return 0; }""",
    "fibonacci": """static unsigned f(unsigned n) { return n < 2 ? n : f(n - 1) + f(n - 2); } int main(void) { if (WRONG(f(27) != 196418)) reach_error(); return 0; }""",
    "random": """int main(void) { unsigned x = 1, y = 0; for (unsigned i = 0; i < 3000000; i++) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; if (x & 1) y += x; }
        if (WRONG(y == 0)) reach_error(); return 0; }""",
}
INTERPRETED = 2_000_000
TIMES = 10
# Milliseconds of patience, of 100,000 steps each.
SHORT, LONG = 300, 3000


def cpu(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def memory(trellis, folder, text, patience):
    source, report = os.path.join(folder, "endless.c"), os.path.join(folder, "endless.json")
    with open(source, "w") as out:
        out.write(ERROR % "0" + text.replace("int main(void)", "static int work(void)") + "int main(void) { for (;;) work(); }")
    options = ["-p", "random", "--set", f"engines.run.options.alone={patience}", "-t", "10min", "--out", "json=" + report]
    subprocess.run([trellis, "check", "--32", "--check", "unreach-call", *options, source], capture_output=True)
    with open(report) as file:
        engine = json.load(file)["engines"][0]
    return engine["memory_bytes"] / 2**20


def main():
    trellis = os.path.abspath(sys.argv[1])
    steps = f"MiB after {SHORT / 10:.0f} M and {LONG / 10:.0f} M steps"
    print(f"| program | steps | interpreter | compiled | gcc -O0 | {steps} |\n|---|---:|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        for name, text in PROGRAMS.items():
            source, ending = os.path.join(folder, name + ".c"), os.path.join(folder, name + "-error.c")
            for path, wrong in [(source, "(c)"), (ending, "(!(c))")]:
                with open(path, "w") as out:
                    out.write(ERROR % wrong + text)
            report = os.path.join(folder, "report.json")
            check = ["--32", "--check", "unreach-call"]
            options = ["-p", "random", "--set", "engines.run.options.alone=600000", "-t", "10min", "--out", "json=" + report]
            # The steps of one execution: where its last line is an error, the trace has its number.
            subprocess.run([trellis, "check", *check, *options, ending], capture_output=True)
            with open(report) as file:
                steps = int(json.load(file)["trace"][-1].split()[0])
            # Several executions, until nothing is left to try.
            done = subprocess.run([trellis, "check", *check, *options, source], capture_output=True, text=True)
            with open(report) as file:
                engine = json.load(file)["engines"][0]
            made = int(done.stdout.split(" executions of ")[1].split(" steps")[0])
            compiled = made / engine["cpu_seconds"]
            spent, _ = cpu([trellis, "ivl", "run", *check, "-q", "--steps", str(INTERPRETED), source])
            interpreted = INTERPRETED / spent
            program = os.path.join(folder, name)
            subprocess.run(["gcc", "-O0", "-w", "-x", "c", source, "-x", "c", "-", "-o", program], input="void reach_error(void) {}", text=True, check=True)
            native, _ = cpu(["sh", "-c", f"for i in $(seq {TIMES}); do {program}; done"])
            native /= TIMES
            rate = lambda r: f"{r / 1e6:,.1f} M/s"
            grown = " and ".join(f"{memory(trellis, folder, text, p):.1f}" for p in (SHORT, LONG))
            print(f"| {name} | {steps:,} | {rate(interpreted)} | {rate(compiled)} | {rate(steps / native)} | {grown} |", flush=True)


main()
