"""Run an experiment by its own command: ``experiment NAME [options]``."""

import argparse
import importlib
import importlib.util
import pkgutil

from lm_core import experiments
from lm_core.experiments.commands import Command

HELP = "make an experiment's results again"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the experiments that have a command, each with its own options."""
    names = parser.add_subparsers(dest="experiment", required=True, metavar="NAME")
    for name in experiments_with_command():
        module = importlib.import_module(f"{_package(name)}.command")
        command: Command = module.run
        spoken = name.replace("_", "-")
        options = names.add_parser(
            spoken,
            aliases=[name] * (name != spoken),  # as the folder is named, too
            help=command.help,
            description=module.__doc__,
        )
        command.add_arguments(options)
        options.set_defaults(run_experiment=command)


def run(arguments: argparse.Namespace) -> None:
    """Hand over to the experiment."""
    arguments.run_experiment(arguments)


def experiments_with_command() -> list[str]:
    """Return the folders of `lm_core.experiments` that hold a ``command`` module."""
    folders = [module.name for module in pkgutil.iter_modules(experiments.__path__) if module.ispkg]
    return [name for name in folders if importlib.util.find_spec(f"{_package(name)}.command")]


def _package(name: str) -> str:
    return f"{experiments.__name__}.{name}"
