"""Score models on the last tenth of the book, and print what the experiment `war_and_peace` saves."""

import argparse

from lm_core.experiments.war_and_peace import command

HELP = command.run.help
run = command.run


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the experiment's options; nothing is saved unless ``--save`` says where."""
    command.run.add_arguments(parser)
    parser.set_defaults(save=None)
