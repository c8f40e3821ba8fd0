"""Submits jobs to a HyperQueue server, and waits until they are over.

Reads a request in JSON from standard input; prints a line once it is submitted. Ends with 0 when all jobs have ended, with 3 when some
have failed, and with an exception when there is no server, or none any more.
"""

import json
import os
import sys

try:
    from hyperqueue import Client, Job
    from hyperqueue.ffi.protocol import ResourceRequest
except ImportError:
    sys.exit("there is neither the program `hq` nor the Python package `hyperqueue` (pip install hyperqueue)")


def main():
    request = json.load(sys.stdin)
    folder = os.environ.get("HQ_SERVER_DIR") or os.path.expanduser("~/.hq-server")
    try:
        client = Client(folder)
    except RuntimeError as e:
        sys.exit(f"there is no HyperQueue server in {folder}: {str(e).splitlines()[0]}")
    job = Job(name=request["name"], max_fails=None)
    for index in range(request["jobs"]):
        job.program(
            [*request["command"], str(index)],
            stdout=None,
            stderr=None,
            resources=ResourceRequest(cpus=request["cores"]),
            # How often a job that takes its worker with it is tried again is said by who submits.
            crash_limit=100,
        )
    submitted = client.submit(job)
    print("submitted", submitted.id, flush=True)
    if not client.connection.wait_for_jobs([submitted.id], lambda _: None):
        return
    failed = client.get_failed_tasks(submitted)
    first = next(iter(failed.values()), None)
    print(first.error if first else "jobs failed", file=sys.stderr)
    sys.exit(3)


main()
