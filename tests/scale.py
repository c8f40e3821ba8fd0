#!/usr/bin/env python3
"""How far benchmarks and races scale, by simulation over recorded runs.

    scale.py set RESULTS.jsonl [--tasks 10000] [--tool NAME]     a set of tasks over workers
    scale.py race RESULTS.jsonl                                  single tasks, whose engines race
    scale.py replay RESULTS.jsonl DIR [--tool NAME] [--each SECONDS]   a set of tasks that take as long, asleep

RESULTS are files of `trellis bench`. `set` draws tasks from the recorded runs of one tool, at random and with return, and plays what a queue does: the next task
goes to the first worker that is free. What a run costs beside itself is given by --overhead (on its worker), --dispatch (on the server, one after the
other) and --collect (on the client, one after the other), all measured in milliseconds; see docs/src/scale.md.

`replay` writes tasks and a tool to DIR, for real runs of the queue on more workers than there are processors: each run sleeps as long as a recorded one took.

`race` takes the tools of the file for the engines of a race, each recorded alone on a core of its own. With one worker the engines share it equally; with W workers
the engines are dealt out to them in turn. The first that answers ends the race.
"""

import argparse
import heapq
import json
import pathlib
import random
import statistics
import sys
from collections import defaultdict

WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000]


def records(path):
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file if line.endswith("\n")]
    return lines[0], lines[1:]


def schedule(times, workers, overhead, dispatch, collect):
    """When all is done: (seconds, seconds for which workers had nothing to do)."""
    free = [0.0] * workers
    server = client = 0.0
    ends = []
    for time in times:
        start = heapq.heappop(free)
        # The server hands out one at a time, and may do so before the worker is free.
        server = max(server + dispatch, start)
        end = server + overhead + time
        ends.append(end)
        heapq.heappush(free, end)
    for end in sorted(ends):
        client = max(client, end) + collect
    busy = sum(times) + overhead * len(times)
    return client, workers * max(ends) - busy


def table(rows, head):
    print("| " + " | ".join(head) + " |")
    print("|" + "---:|" * len(head))
    for row in rows:
        print("| " + " | ".join(row) + " |")


def a_set(args):
    header, all = records(args.results)
    tool = args.tool or header["tools"][0]["name"]
    runs = [r["cpu_seconds"] for r in all if r["tool"] == tool]
    if not runs:
        sys.exit(f"scale: {args.results} has no runs of {tool}")
    if args.tasks:
        choose = random.Random(args.seed)
        times = [choose.choice(runs) for _ in range(args.tasks)]
    else:
        times = runs
    cost = [x / 1000 for x in (args.overhead, args.dispatch, args.collect)]
    print(
        f"{len(times)} runs of {tool}: {sum(times):.0f} s in all, mean {statistics.mean(times):.3f} s, "
        f"median {statistics.median(times):.3f} s, longest {max(times):.2f} s\n"
    )
    one, _ = schedule(times, 1, *cost)
    longest = sorted(times, reverse=True)
    rows = []
    for workers in args.workers:
        wall, idle = schedule(times, workers, *cost)
        sorted_wall, _ = schedule(longest, workers, *cost)
        limits = {
            "work": (sum(times) + cost[0] * len(times)) / workers,
            "longest run": max(times) + cost[0],
            "server": cost[1] * len(times),
            "client": cost[2] * len(times),
        }
        rows.append([
            str(workers), f"{wall:.1f}", f"{one / wall:.1f}", f"{100 * one / wall / workers:.0f} %",
            f"{one / sorted_wall:.1f}", max(limits, key=limits.get),
        ])
    table(rows, ["workers", "seconds", "speed-up", "of ideal", "longest first", "what bounds it"])


def a_race(args):
    header, all = records(args.results)
    engines = [t["name"] for t in header["tools"]]
    limit = header["cpu_limit_seconds"]
    tasks, ends = defaultdict(dict), defaultdict(dict)
    for r in all:
        name = r["task"], r["property"]
        ends[name][r["tool"]] = r["cpu_seconds"]
        if r["verdict"] != "unknown":
            tasks[name][r["tool"]] = r["cpu_seconds"]
    solved = {name: times for name, times in tasks.items() if times}
    hard = {name: t for name, t in solved.items() if min(t.values()) >= args.hard}
    print(
        f"{len(engines)} engines; {len({(r['task'], r['property']) for r in all})} tasks, {len(solved)} solved by some engine within {limit:g} s, "
        f"{len(hard)} of them hard (no engine in less than {args.hard:g} s)\n"
    )

    def end(name, workers):
        best, times = None, tasks[name]
        for w in range(min(workers, len(engines))):
            mine = engines[w::workers]
            # Equal shares: an engine has its answer when every other has had as much time, or has given up.
            for engine in mine:
                if engine in times:
                    spent = sum(min(times[engine], ends[name].get(e, limit)) for e in mine)
                    best = spent if best is None else min(best, spent)
        return best

    rows = []
    for workers in args.workers:
        row = [str(workers)]
        for chosen in (solved, hard):
            ups = [end(name, 1) / end(name, workers) for name in chosen]
            if not ups:
                row += ["-", "-"]
                continue
            row += [f"{statistics.geometric_mean(ups):.2f}", f"{max(ups):.1f}"]
        rows.append(row)
    table(rows, ["workers", "all: speed-up", "best", "hard: speed-up", "best"])


def a_replay(args):
    header, all = records(args.results)
    tool = args.tool or header["tools"][0]["name"]
    folder = pathlib.Path(args.dir)
    (folder / "set").mkdir(parents=True)
    for n, run in enumerate(r for r in all if r["tool"] == tool):
        seconds = args.each or run["cpu_seconds"]
        (folder / f"set/{n:05}.c").write_text(f"sleep {seconds}\necho VERDICT: true\n")
    command = """command = ['sh', '-c', '. "$0"', '{file}']"""
    (folder / "tools.toml").write_text(f"[tools.{tool}]\n{command}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("set")
    one.add_argument("--tasks", type=int, default=10000, help="0: the recorded runs themselves, in their order")
    one.add_argument("--tool")
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--overhead", type=float, default=20)
    one.add_argument("--dispatch", type=float, default=0.1)
    one.add_argument("--collect", type=float, default=1)
    two = commands.add_parser("race")
    two.add_argument("--hard", type=float, default=0.5)
    three = commands.add_parser("replay")
    three.add_argument("--tool")
    three.add_argument("--each", type=float, metavar="SECONDS", help="every run as long as every other")
    for command in (one, two, three):
        command.add_argument("results")
    three.add_argument("dir")
    for command in (one, two):
        command.add_argument("--workers", type=lambda t: [int(n) for n in t.split(",")], default=WORKERS)
    args = parser.parse_args()
    {"set": a_set, "race": a_race, "replay": a_replay}[args.command](args)


if __name__ == "__main__":
    main()
