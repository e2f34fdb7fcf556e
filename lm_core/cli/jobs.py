"""List, watch, pause, resume, cancel and clean up the trainings: the same jobs as on the pages."""

import argparse
import sys
import threading
from collections.abc import Callable

from lm_core.errors import RunError
from lm_core.jobs import jobs, store
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader

HELP = "list, watch and stop the trainings in the background"

_LOOK_EVERY_S = 1.0
_ACTIONS: dict[str, tuple[str, Callable[[str], Job]]] = {
    "pause": ("stop a run, to go on later", jobs.pause),
    "resume": (
        "go on with a stopped run",
        lambda key: jobs.resume(key, visitor="command line", is_presenter=True),
    ),
    "cancel": ("stop a run for good", lambda key: jobs.cancel(key, is_presenter=True)),
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare ``list``, ``watch KEY``, ``pause KEY``, ``resume KEY``, ``cancel KEY`` and ``clean [KEY]``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="all runs: the queue first, then the newest")
    about = {"watch": "follow a run to its end"} | {n: text for n, (text, _) in _ACTIONS.items()}
    for name, text in about.items():
        action = actions.add_parser(name, help=text)
        action.add_argument("key", metavar="KEY", help="or its beginning")
    cleaning = actions.add_parser("clean", help="remove an ended or damaged run, or all ended ones")
    cleaning.add_argument("key", metavar="KEY", nargs="?", help="or its beginning; default: all")


def run(args: argparse.Namespace) -> int:
    """Run one action; 1 if a watched run did not finish.

    Raises RunError if no run, or more than one, has that key.
    """
    if args.action == "list":
        return _list()
    if args.action == "clean":
        removed = jobs.clean(_whole_key(args.key) if args.key else None)
        print(f"removed {', '.join(removed) or 'nothing'}")
        return 0
    key = _whole_key(args.key)
    if args.action == "watch":
        return _watch(key)
    _, act = _ACTIONS[args.action]
    print(_line(act(key)))
    return 0


def _whole_key(beginning: str) -> str:
    keys = [run.key for run in store.folders() if run.key.startswith(beginning)]
    if len(keys) != 1:
        raise RunError(
            f"{len(keys)} runs have a key that begins with {beginning!r}; see: jobs list"
        )
    return keys[0]


def _list() -> int:
    for job in jobs.jobs():
        print(_line(job))
        if job.status.message:
            print(f"    {job.status.message}")
    for key, fault in store.damaged().items():
        print(f"{key}  damaged\n    {fault}")
    return 0


def _line(job: Job) -> str:
    status = job.status
    place = f", {job.n_ahead} before it" if job.n_ahead else ""
    return (
        f"{job.key}  {status.state + place:<10}  step {job.step:,} of {status.steps:,}"
        f"  {job.config.title}  {status.device or ''}"
    )


def _watch(key: str) -> int:
    """Print what comes in until the run has ended; Ctrl-C leaves it running."""
    job = jobs.job(key)
    metrics, samples = (
        MetricsLogReader(job.run.metrics_file),
        MetricsLogReader(job.run.samples_file),
    )
    print(_line(job))
    while True:
        job = jobs.job(key)  # read before the last lines are, so that none is missed
        if lines := metrics.read():
            _print_metrics(lines[-1])
        for sample in samples.read():
            print(f"    {sample['text']!r}")
        if not job.status.state.is_live:
            print(_line(job))
            sys.stdout.write(f"{job.status.message}\n" if job.status.message else "")
            return int(job.status.state != "finished")
        threading.Event().wait(_LOOK_EVERY_S)


def _print_metrics(line: dict) -> None:
    validation = line["validation_loss"]
    evaluated = "" if validation is None else f"  validation {validation:.4f}"
    print(f"step {line['step']:6d}  loss {line['loss']:.4f}{evaluated}", flush=True)
