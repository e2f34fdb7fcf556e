"""List, fetch and check the corpora; nothing is downloaded unless `fetch` asks for it."""

import argparse
import sys

from lm_core.text.corpora import CORPORA, check, fetch, locate

HELP = "list, fetch and check the corpora"

_MEGABYTE = 1e6


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare ``list``, ``fetch NAME`` and ``check [NAME]``."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    actions.add_parser("list", help="the known corpora, and where each lies on this machine")
    fetching = actions.add_parser("fetch", help="download a corpus into the cache")
    fetching.add_argument("name", metavar="NAME", choices=sorted(CORPORA), help=_names())
    checking = actions.add_parser("check", help="compare the files on this machine with the record")
    checking.add_argument("name", metavar="NAME", nargs="?", help=f"{_names()}; default: all found")


def _names() -> str:
    return f"one of: {', '.join(sorted(CORPORA))}"


def run(args: argparse.Namespace) -> int:
    """Run one action; 1 if a checked file is not usable."""
    if args.action == "list":
        return _list()
    if args.action == "fetch":
        return _fetch(args.name)
    return _check([args.name] if args.name else [name for name in CORPORA if locate(name)])


def _list() -> int:
    for corpus in CORPORA.values():
        print(f"{corpus.name}\n    {corpus.title}: {corpus.edition}")
        print(f"    {corpus.size_bytes / _MEGABYTE:.1f} MB, {corpus.licence}\n    {corpus.address}")
        print(f"    {locate(corpus.name) or 'not on this machine'}")
    return 0


def _fetch(name: str) -> int:
    path = fetch(name, _show_progress if sys.stderr.isatty() else None)
    print(f"{path}: {check(name, path).verdict}")
    return 0


def _show_progress(received: int, total: int | None) -> None:
    share = f" of {total / _MEGABYTE:.1f} MB, {received / total:.0%}" if total else " MB"
    end = "\n" if received == total else ""
    sys.stderr.write(f"\r{received / _MEGABYTE:.1f}{share}{end}")
    sys.stderr.flush()


def _check(names: list[str]) -> int:
    reports = [check(name) for name in names]
    for report in reports:
        print(f"{report.corpus.name}: {report.verdict}\n    {report.path}\n    {report.sha256}")
        for fault in report.faults:
            print(f"    {fault}")
    if not reports:
        print("none of the corpora is on this machine; see: python -m lm_core data list")
    return int(any(report.faults for report in reports))
