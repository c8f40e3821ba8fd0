#!/usr/bin/env python3
"""A HyperQueue of one machine, from the Python package `hyperqueue`, whose processes can be killed one by one.

    cluster.py server DIR                 a server without workers
    cluster.py worker DIR OWN CORES       a worker of the server in DIR; OWN is a folder for itself
    cluster.py show DIR --workers 4 [--kill] -- BENCH ARGUMENTS

`show` starts a server and workers, runs `trellis bench --on hyperqueue` with the arguments, and says what that cost beyond the runs
themselves. With --kill, a worker and then the server are killed by SIGKILL on the way and started again. The executable is that of the
variable TRELLIS.
"""

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path


def forever():
    print("up", flush=True)
    while True:
        signal.pause()


def server(dir):
    from hyperqueue.cluster import LocalCluster

    cluster = LocalCluster(str(dir))
    forever()
    return cluster


def worker(dir, own, cores):
    """The package starts workers only beside a server of its own; that one is told where the other server is."""
    from hyperqueue.cluster import LocalCluster, WorkerConfig

    cluster = LocalCluster(str(own))
    shutil.copy(dir / "hq-current/access.json", own / "hq-current/access.json")
    cluster.start_worker(WorkerConfig(cores=cores))
    forever()
    return cluster


class Cluster:
    def __init__(self, dir, workers):
        self.dir, self.count, self.started = Path(dir).resolve(), workers, 0
        self.workers = []
        self.server = None

    def start(self, *args):
        with open(self.dir / "log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, __file__, *map(str, args)], stdout=subprocess.PIPE, stderr=log
            )
        for line in process.stdout:
            if line.strip() == b"up":
                return process
        sys.exit(f"cluster: {args} did not start, see {self.dir}/log")

    def start_server(self):
        self.dir.mkdir(parents=True, exist_ok=True)
        self.server = self.start("server", self.dir / "server")

    def start_worker(self):
        self.started += 1
        own = self.dir / f"worker{self.started}"
        self.workers.append(self.start("worker", self.dir / "server", own, 1))

    def start_all(self):
        self.start_server()
        for _ in range(self.count):
            self.start_worker()

    def stop(self):
        for process in [*self.workers, self.server]:
            process.kill()
            process.wait()
        self.workers = []


def records(path):
    try:
        lines = path.read_text().splitlines()[1:]
    except FileNotFoundError:
        return []
    return [json.loads(line) for line in lines]


def key(record):
    return record["task"], record["property"], record["tool"]


def show(args):
    dir = args.dir.resolve()
    shutil.rmtree(dir, ignore_errors=True)
    cluster = Cluster(dir, args.workers)
    cluster.start_all()
    results = dir / "results.jsonl"
    command = [os.environ.get("TRELLIS", "trellis"), "bench", "--on", "hyperqueue", "-r", results, "-q", *args.bench]
    environment = {**os.environ, "HQ_SERVER_DIR": str(dir / "server"), "TRELLIS_PYTHON": sys.executable}
    begun, used = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    before = used.ru_utime + used.ru_stime
    client = subprocess.Popen(command, env=environment)
    kept = {}

    def until(count):
        while client.poll() is None and len(records(results)) < count:
            time.sleep(0.05)
        return {key(r): r for r in records(results)}

    if args.kill:
        total = args.kill
        kept = until(total // 3)
        cluster.workers.pop(0).kill()
        print(f"worker killed after {len(kept)} runs", flush=True)
        cluster.start_worker()
        kept = until(2 * total // 3)
        cluster.server.kill()
        cluster.server.wait()
        print(f"server killed after {len(kept)} runs", flush=True)
        # Workers end with their server.
        for process in cluster.workers:
            process.kill()
        cluster.workers = []
        time.sleep(1)
        cluster.start_all()
    code = client.wait()
    wall = time.monotonic() - begun
    cluster.stop()
    if code != 0:
        sys.exit(code)
    all = records(results)
    changed = [k for k, r in kept.items() if r not in all]
    twice = len(all) - len({key(r) for r in all})
    made = sum(r["wall_seconds"] for r in all)
    overhead = (args.workers * wall - made) / len(all)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = (used.ru_utime + used.ru_stime - before - sum(r["cpu_seconds"] for r in all)) / len(all)
    print(
        f"{len(all)} runs, {args.workers} workers: {wall:.2f} s, of which runs {made:.2f} s; "
        f"{1000 * overhead:.1f} ms of a worker and {1000 * processor:.1f} ms of a processor per run beside it; lost {len(changed)}, twice {twice}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    one = commands.add_parser("server")
    one.add_argument("dir", type=Path)
    one = commands.add_parser("worker")
    one.add_argument("dir", type=Path)
    one.add_argument("own", type=Path)
    one.add_argument("cores", type=int)
    one = commands.add_parser("show")
    one.add_argument("dir", type=Path)
    one.add_argument("--workers", type=int, default=4)
    one.add_argument("--kill", type=int, metavar="RUNS", help="kill on the way through this many runs")
    one.add_argument("bench", nargs="+", metavar="ARGUMENT")
    args = parser.parse_args()
    if args.command == "server":
        server(args.dir)
    elif args.command == "worker":
        worker(args.dir, args.own, args.cores)
    else:
        show(args)


if __name__ == "__main__":
    main()
