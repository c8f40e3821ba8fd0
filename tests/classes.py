#!/usr/bin/env python3
"""Learns the classes of `cli/library/pipelines/select.toml` from recorded runs, and says by cross-validation what they are worth.

usage: tests/classes.py [--features FILE] RESULTS...

RESULTS are files of `trellis bench -r`: runs of single engines, each configuration named after its engine, and perhaps of `portfolio`,
the race before. One of them has been made with `-t tests/classes.toml`, which records the features of each program. The file of classes goes to
standard output, the table to standard error.

What a race would do is computed from what its engines do alone: those that have begun share the processor equally, an engine that gives up makes
room for the next, and lemmas that they would have told each other are left out. A class is a leaf of a tree of bounds of features; its turns are
chosen among a fixed set of schedules, then changed engine by engine as long as that pays; what it saves is CPU time, with its logarithm. What is learnt from four fifths of the tasks is tried
on the last fifth."""

import argparse
import collections
import hashlib
import itertools
import json
import math
import sys

# Begin first in any case: data flow is over soon, and what it proves are invariants that people read, where others count rounds; executions find
# everyday errors at once.
FIRST = ["dataflow", "run"]
ENGINES = ["run", "dataflow", "bmc", "kiki", "ic3cfa", "cells", "contracts"]
LIMIT = 5.0  # CPU seconds of a task, as recorded
DELAYS = [0.0, 0.1, 0.25, 0.5, 1.0, 2.0]
EASY = 0.3  # what a task costs more when it takes e times as long
STAGGER = 0.02  # what each member of a race waits longer than the one before
START = 0.01  # what a process costs that has nothing to do
FOLDS = 5
DEPTH = 3  # of the tree
LEAST = 8  # tasks of a class
GAIN = 0.01  # part of the whole cost that a bound has to save
# An engine that was not recorded on a task has nothing to find there: it gives up after this time, or goes on for ever.
UNRECORDED = {"run": 1.5, "dataflow": 0.1}


class Task:
    """A task: its features, and what each engine did alone: (CPU seconds, whether it decided)."""

    def __init__(self, name):
        self.name, self.features, self.alone, self.race = name, None, {}, None

    def engines(self):
        for e in ENGINES:
            if e == "cells" and not self.features["arrays"]:
                continue
            if e == "contracts" and not self.features["recursive"]:
                continue
            yield e


def read(paths):
    tasks = {}
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for line in lines:
                r = json.loads(line)
                if "task" not in r:
                    continue
                task = tasks.setdefault((r["task"], r["property"]), Task(r["task"]))
                figures = r.get("figures") or {}
                if "edges" in figures:
                    task.features = {k: int(v) for k, v in figures.items()}
                verdict, expected = r["verdict"], r["expected"]
                right = verdict == expected or (verdict.startswith("false") and (expected or "").startswith("false"))
                if verdict.startswith("true") or verdict.startswith("false"):
                    # An answer that contradicts its label is an answer, but not one to learn from.
                    if not right:
                        task.alone[r["tool"]] = None
                        continue
                ended = r["status"] == "done"
                seconds = r["cpu_seconds"] if ended else math.inf
                if r["tool"] in ENGINES:
                    task.alone[r["tool"]] = (seconds, right)
                elif r["tool"] == "portfolio":
                    task.race = r["cpu_seconds"] if right else None
    known = [t for t in tasks.values() if t.features and None not in t.alone.values() and t.alone]
    return sorted(known, key=lambda t: hashlib.sha1(t.name.encode()).hexdigest())


def cost(task, schedule):
    """CPU seconds until a race decides the task, twice the limit if it does not. A schedule is engines with what others get before."""
    jobs, place = [], 0
    for engine, after in schedule:
        if engine not in task.present:
            continue
        seconds, decides = task.present[engine]
        jobs.append([after or STAGGER * place, seconds + START, decides])
        place += 1
    jobs.sort(key=lambda j: j[0])
    running, clock, i = [], 0.0, 0
    while True:
        while i < len(jobs) and (jobs[i][0] <= clock or not running):
            running.append(jobs[i][1:])
            i += 1
        if not running:
            return 2 * LIMIT
        # Until the first is done, or the next begins.
        part = min(job[0] for job in running)
        step = part * len(running)
        if i < len(jobs):
            step = min(step, jobs[i][0] - clock)
        if clock + step > LIMIT:
            return 2 * LIMIT
        clock += step
        share = step / len(running)
        left = []
        for job in running:
            job[0] -= share
            if job[0] <= 1e-9:
                if job[1]:
                    return clock
            else:
                left.append(job)
        running = left


def schedules():
    """Schedules to choose among: some engines at once, the others later, each by as much again."""
    found = []
    for n in range(0, 4):
        for first in itertools.permutations([e for e in ENGINES[:-1] if e not in FIRST], n):
            if n > 2 and first != tuple(sorted(first, key=ENGINES.index)):
                continue
            first = (*FIRST, *first)
            rest = [e for e in ENGINES if e not in first]
            for delay in (0.1, 0.25, 0.5, 1.0):
                later = [(e, delay if i < 2 else 2 * delay) for i, e in enumerate(rest)]
                found.append(tuple([(e, 0.0) for e in first] + later))
    found.append(OLD)
    return found


OLD = tuple((e, 0.0) for e in ENGINES)


def best(tasks, candidates):
    """The schedule of least cost, the earliest of equals."""
    return min(candidates, key=lambda s: sum(cached(t, s) for t in tasks))


def cached(task, schedule):
    """What the schedule costs in learning: the time, and its logarithm, so that easy tasks stay easy."""
    known = task.costs.get(schedule)
    if known is None:
        seconds = cost(task, schedule)
        known = task.costs[schedule] = seconds + EASY * math.log(seconds / 0.01)
    return known


def refined(tasks, schedule):
    """The schedule, changed engine by engine as long as that saves more than a hundredth."""
    total = sum(cached(t, schedule) for t in tasks)
    for _ in range(3):
        before = total
        for engine in ENGINES:
            for delay in DELAYS if engine not in FIRST else []:
                changed = [(e, delay if e == engine else d) for e, d in schedule]
                changed = tuple(sorted(changed, key=lambda turn: turn[1]))
                if changed[0][1]:
                    continue
                price = sum(cached(t, changed) for t in tasks)
                if price < 0.99 * total:
                    schedule, total = changed, price
        if total == before:
            break
    return schedule


def bounds(tasks):
    for feature in tasks[0].features:
        values = sorted({t.features[feature] for t in tasks})
        ordered = sorted(t.features[feature] for t in tasks)
        # A few bounds of each feature, at quantiles.
        chosen = {ordered[len(ordered) * q // 6] for q in range(1, 6)} | {0}
        for value in sorted(chosen):
            if value < values[-1]:
                yield feature, value


def tree(tasks, candidates, whole, depth=0, tests=()):
    """Classes as (tests, schedule), by splits that save most."""
    own = best(tasks, candidates)
    price = sum(cached(t, own) for t in tasks)
    found = None
    if depth < DEPTH:
        for feature, value in bounds(tasks):
            low = [t for t in tasks if t.features[feature] <= value]
            high = [t for t in tasks if t.features[feature] > value]
            if min(len(low), len(high)) < LEAST:
                continue
            split = sum(min(sum(cached(t, s) for t in part) for s in candidates) for part in (low, high))
            if price - split > GAIN * whole and (found is None or split < found[0]):
                found = (split, feature, value, low, high)
    if found is None:
        return [(tests, refined(tasks, own))]
    _, feature, value, low, high = found
    return tree(low, candidates, whole, depth + 1, tests + ((feature, "<=", value),)) + tree(
        high, candidates, whole, depth + 1, tests + ((feature, ">=", value + 1),)
    )


def learn(tasks, candidates):
    whole = sum(cached(t, OLD) for t in tasks)
    return tree(tasks, candidates, whole)


def apply(classes, task):
    for tests, schedule in classes:
        if all(task.features[f] <= v if op == "<=" else task.features[f] >= v for f, op, v in tests):
            return schedule
    return OLD


def simplified(tests):
    """The tests of a class, the sharpest of each kind."""
    kept = {}
    for f, op, v in tests:
        old = kept.get((f, op), v)
        kept[f, op] = min(old, v) if op == "<=" else max(old, v)
    return [f"{f} {op} {v}" for (f, op), v in kept.items()]


def text(classes, tasks):
    lines = [
        "# Which engines of the portfolio begin when, by what the program is like: see \"Choosing\" in docs/src/pipelines.md.",
        f"# Made by tests/classes.py from recorded runs of {len(tasks)} tasks; not to be changed by hand.",
    ]
    for tests, schedule in classes:
        lines += ["", "[[class]]"]
        if tests:
            lines.append("when = [" + ", ".join(f'"{t}"' for t in simplified(tests)) + "]")
        lines.append("turns = [")
        for engine, after in schedule:
            later = f', after = "{round(after * 1000)}ms"' if after else ""
            lines.append(f'  {{ engine = "{engine}"{later} }},')
        lines.append("]")
    return "\n".join(lines) + "\n"


def row(name, costs):
    solved = [c for c in costs if c < 2 * LIMIT]
    middle = sorted(solved)[len(solved) // 2] if solved else 0
    fast = sum(c <= 0.2 for c in solved)
    return f"| {name} | {len(solved)} | {sum(costs):.0f} | {middle:.2f} | {fast} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("results", nargs="+")
    args = parser.parse_args()
    tasks = read(args.results)
    if len(tasks) < 2 * FOLDS:
        sys.exit("too few tasks with features and recorded engines")
    for t in tasks:
        # What was recorded, and what was not because there is nothing to find.
        t.costs, t.present = {}, {}
        for e in t.engines():
            t.present[e] = t.alone.get(e) or (UNRECORDED.get(e, math.inf), False)
    candidates = schedules()
    validated = []
    for fold in range(FOLDS):
        others = [t for i, t in enumerate(tasks) if i % FOLDS != fold]
        classes = learn(others, candidates)
        validated += [cost(t, apply(classes, t)) for i, t in enumerate(tasks) if i % FOLDS == fold]
    classes = learn(tasks, candidates)
    print(f"{len(tasks)} tasks, {LIMIT:g} s; median and at most 0.2 s of what is solved", file=sys.stderr)
    print("| | solved | PAR-2 (s) | median (s) | within 0.2 s |\n|---|---:|---:|---:|---:|", file=sys.stderr)
    recorded = [t.race if t.race is not None and t.race <= LIMIT else 2 * LIMIT for t in tasks]
    if any(t.race is not None for t in tasks):
        print(row("race before, recorded", recorded), file=sys.stderr)
    print(row("race before", [cost(t, OLD) for t in tasks]), file=sys.stderr)
    singles = {e: [cost(t, ((e, 0.0),)) for t in tasks] for e in ENGINES}
    single = min(singles, key=lambda e: sum(singles[e]))
    print(row(f"best single engine ({single})", singles[single]), file=sys.stderr)
    one = best(tasks, candidates)
    print(row("one schedule for all, learnt on all", [cost(t, one) for t in tasks]), file=sys.stderr)
    print(row("classes, cross-validated", validated), file=sys.stderr)
    print(row("classes, learnt on all", [cost(t, apply(classes, t)) for t in tasks]), file=sys.stderr)
    alone = [min([s for s, ok in t.present.values() if ok], default=2 * LIMIT) for t in tasks]
    print(row("best engine of each task", alone), file=sys.stderr)
    sizes = collections.Counter(classes.index(next(c for c in classes if c[1] is apply(classes, t))) for t in tasks)
    print("tasks by class: " + ", ".join(str(sizes[i]) for i in range(len(classes))), file=sys.stderr)
    sys.stdout.write(text(classes, tasks))


main()
