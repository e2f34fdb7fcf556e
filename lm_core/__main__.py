"""`python -m lm_core COMMAND`: everything that the pages do, without a browser."""

import argparse
import importlib
import os
import sys

from lm_core.errors import LMCoreError

# Before anything imports numpy or torch: on products as small as ours a second thread only waits.
os.environ.setdefault("OMP_NUM_THREADS", "1")

COMMANDS = ("train", "sample", "evaluate", "data", "jobs", "experiment", "make")


def parser_of_commands() -> argparse.ArgumentParser:
    """Return the parser of all commands, each with its own options."""
    parser = argparse.ArgumentParser(prog="python -m lm_core", description=__doc__)
    subparsers = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name in COMMANDS:
        module = importlib.import_module(f"lm_core.cli.{name}")
        subparser = subparsers.add_parser(name, help=module.HELP, description=module.__doc__)
        module.add_arguments(subparser)
        subparser.set_defaults(run=module.run)
    return parser


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return the process's exit status: 0, 1 for an `LMCoreError`, 2 for bad usage."""
    parser = parser_of_commands()
    parsed = parser.parse_args(arguments)
    try:
        return parsed.run(parsed) or 0
    except LMCoreError as error:
        sys.stderr.write(f"{parser.prog} {parsed.command}: {error}\n")
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
