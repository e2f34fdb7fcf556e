"""A built wheel works in an environment that holds no checkout."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

USE = """
import lm_core
from lm_core.clustering.datasets import iris
from lm_core.errors import LMCoreError
from lm_core.training.checkpoints import load_shipped

assert not lm_core.__file__.startswith({root!r}), lm_core.__file__
print(tuple(iris().points.shape))
try:
    print(load_shipped("book-lstm").meta.title)
except LMCoreError as error:
    print(error)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder into which a wheel built from these sources is installed, and nothing else."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "lm_core", source / "lm_core", ignore=ignored)
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run(
        [*pip, "wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", "wheels"],
        cwd=source,
        check=True,
    )
    (wheel,) = (source / "wheels").glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", str(target), str(wheel)], check=True)
    return target


def used(installed, folder, source=USE, **environment):
    finished = subprocess.run(
        [sys.executable, "-c", source.format(root=str(ROOT))],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(installed), **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    return finished.stdout


def test_it_carries_its_tables_and_types(installed):
    assert (installed / "lm_core" / "py.typed").is_file()
    assert list((installed / "lm_core").rglob("iris.csv"))


def test_it_carries_the_migrations(installed, tmp_path):
    opening = "from lm_core.classroom.database import Database; Database('sqlite:///rooms.sqlite')"
    used(installed, tmp_path, source=opening)
    assert (tmp_path / "rooms.sqlite").stat().st_size > 0


def test_models_are_found_where_the_variable_says(installed, tmp_path):
    told = used(installed, tmp_path, LM_LAB_ASSETS=str(ROOT / "assets"))
    assert told.splitlines() == ["(150, 4)", "LSTM 2 x 512"]


def test_without_models_both_places_are_named(installed, tmp_path):
    told = used(installed, tmp_path)
    assert "LM_LAB_ASSETS" in told
    assert str(installed / "assets") in told
