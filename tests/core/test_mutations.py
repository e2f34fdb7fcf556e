"""The suite must notice when the maths is broken: each mutation has to turn its tests red.

Opt-in (``pytest -m mutation``): every case copies the package and runs a part of the suite anew.
``LM_LAB_MUTANTS=5`` draws so many of the list at random and leaves the unbroken copies out.
"""

import os
import random
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Mutation(NamedTuple):
    file: str
    before: str
    after: str
    tests: str


TABLE = Path(__file__).with_name("mutants.toml")
MUTATIONS = [Mutation(*row) for row in tomllib.loads(TABLE.read_text("utf-8"))["mutants"]]
ROOMS = set(
    "analysis classroom clustering experiments generation jobs models results.py text training".split()
)


def drawn() -> list[Mutation]:
    """Return the mutations to run: all, or as many as are asked for, drawn anew each time."""
    asked = os.environ.get("LM_LAB_MUTANTS")
    if asked is None:
        return MUTATIONS
    # The processes of one run draw the same; where there are none, there is nothing to agree on.
    lots = random.Random(os.environ.get("PYTEST_XDIST_TESTRUNUID"))
    return lots.sample(MUTATIONS, int(asked))


DRAWN = drawn()
SUITES = sorted({mutation.tests for mutation in MUTATIONS}) if DRAWN is MUTATIONS else []


def named(mutation: Mutation) -> str:
    return f"{mutation.file}: {mutation.before} -> {mutation.after}"


@pytest.mark.parametrize("mutation", MUTATIONS, ids=named)
def test_the_line_to_break_and_its_tests_are_there(mutation):
    assert mutation.before in (ROOT / "lm_core" / mutation.file).read_text(encoding="utf-8")
    assert (ROOT / "tests" / "core" / mutation.tests).is_file()


def test_the_list_reaches_every_room():
    assert {mutation.file.split("/")[0] for mutation in MUTATIONS} == ROOMS


def copy_of_the_package(folder: Path) -> Path:
    for name in ("lm_core", "tests"):
        shutil.copytree(ROOT / name, folder / name)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "assets").symlink_to(ROOT / "assets")
    return folder


def run_of(tests: str, folder: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-x", "-q", f"tests/core/{tests}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.mutation
@pytest.mark.parametrize("tests", SUITES)
def test_a_copy_that_nothing_is_broken_in_is_green(tests, tmp_path):
    run = run_of(tests, copy_of_the_package(tmp_path))
    assert run.returncode == 0, run.stdout[-2000:]


@pytest.mark.mutation
@pytest.mark.parametrize("mutation", DRAWN, ids=named)
def test_a_mutation_turns_the_suite_red(mutation, tmp_path):
    path = copy_of_the_package(tmp_path) / "lm_core" / mutation.file
    source = path.read_text(encoding="utf-8")
    path.write_text(source.replace(mutation.before, mutation.after), encoding="utf-8")
    run = run_of(mutation.tests, tmp_path)
    assert run.returncode == 1, run.stdout[-2000:]
