"""Every shipped file is the product of one entry, whose commands exist and come in an order that works."""

import shlex
import subprocess
from collections import Counter

import pytest

from lm_core.__main__ import main, parser_of_commands
from lm_core.assets import ASSETS
from lm_core.cli import make
from lm_core.cli.make import Entry, entries, entry_of, steps_to
from lm_core.cli.train import _COUNTED
from lm_core.errors import RunError, SettingError
from lm_core.experiments.masked_language_model import settings as masked
from lm_core.experiments.model_ladder import training as model_ladder
from lm_core.experiments.translation import settings as translation
from lm_core.training.checkpoints import read_meta
from lm_core.training.recipes import RECIPES

SHIPPED = sorted(
    "/".join(path.relative_to(ASSETS).parts)
    for folder, pattern in (("checkpoints", "*"), ("results", "*"), ("tokenizers", "*.json"))
    for path in (ASSETS / folder).glob(pattern)
)


def commands(runs):
    return [(entry, command) for entry in entries().values() for command in entry.commands(runs)]


@pytest.mark.parametrize("product", SHIPPED)
def test_a_shipped_file_is_the_product_of_exactly_one_entry(product):
    assert len([entry.name for entry in entries().values() if entry.has_made(product)]) == 1


def test_nothing_is_promised_that_is_not_shipped():
    patterns = [pattern for entry in entries().values() for pattern in entry.makes]
    assert [pattern for pattern in patterns if not any(ASSETS.glob(pattern))] == []
    assert max(Counter(patterns).values()) == 1


def test_a_snapshot_comes_from_the_entry_of_its_model():
    metas = [read_meta(path) for path in (ASSETS / "checkpoints").iterdir()]
    snapshots = [meta for meta in metas if meta.snapshot_of]
    assert snapshots
    for meta in snapshots:
        made = entry_of(f"checkpoints/{meta.name}")
        assert made.has_made(f"checkpoints/{meta.snapshot_of}")


def test_every_command_is_understood(tmp_path):
    parser = parser_of_commands()
    for _, command in commands(tmp_path):
        parser.parse_args(command)  # exits where an option is unknown


def test_every_recipe_that_is_trained_exists_and_every_shipped_recipe_is_trained(tmp_path):
    trained = Counter(command[1] for _, command in commands(tmp_path) if command[0] == "train")
    assert set(trained) <= set(RECIPES) | set(_COUNTED)
    assert set(_COUNTED) <= set(trained)
    assert set(RECIPES) - set(trained) == {"library-transformer-alone"}  # a comparison, not shipped
    assert max(trained.values()) == 1
    words = {word for entry in entries().values() for line in entry.run for word in line.split()}
    for recipes in (masked.RECIPES, model_ladder.RECIPES, translation.SHIPPED_RECIPES):
        names = set(recipes)
        assert names <= words | {name for name in entries() if name in names}


def test_what_a_recipe_begins_with_and_learns_from_is_made_before(tmp_path):
    for name, entry in entries().items():
        if name in RECIPES:
            recipe, steps = RECIPES[name], steps_to([entry], anew=True)
            before = {step.name for step in steps} - {name}
            needed = {recipe.starts_from, *recipe.teachers} - {None}
            assert needed <= before, name


def test_a_run_is_left_before_another_goes_on_from_it(tmp_path):
    for entry in entries().values():
        steps = [
            (step, shlex.split(line)) for step in steps_to([entry], anew=True) for line in step.run
        ]
        left: set[str] = set()
        for step, words in steps:
            line = [word.replace("{name}", step.name) for word in words]
            for option in ("--start", "--teachers", "--ship"):
                if option in line and (folder := line[line.index(option) + 1]).startswith("{runs}"):
                    assert any(folder.startswith(run) for run in left), (step.name, folder)
            left |= {
                line[line.index(option) + 1] for option in ("--out", "--runs") if option in line
            }


def test_what_is_needed_comes_before_what_needs_it():
    for entry in entries().values():
        steps = [step.name for step in steps_to([entry], anew=True)]
        assert steps[-1] == entry.name
        for step in steps:
            places = [steps.index(other) for other in entries()[step].after]
            assert all(place < steps.index(step) for place in places)


def test_what_is_shipped_is_not_made_again_unless_asked():
    assert [step.name for step in steps_to([entry_of("book-transformer")])] == ["book-transformer"]
    again = [step.name for step in steps_to([entry_of("book-transformer")], anew=True)]
    assert again == ["source-subwords", "subword-transformer", "book-lstm", "book-transformer"]
    halves = [step.name for step in steps_to([entry_of("source-lstm")])]
    assert halves == ["source-lstm-early", "source-lstm"]  # a run is never shipped


@pytest.mark.parametrize(
    ("asked", "name"),
    [
        ("gradients", "gradients"),
        ("assets/results/gradients.json", "gradients"),
        (str(ASSETS / "checkpoints" / "book-lstm-step-700"), "book-lstm"),
        ("checkpoints/masked-0-0-100/", "masked-language-model"),
    ],
)
def test_an_entry_is_found_by_its_name_and_by_its_files(asked, name):
    assert entry_of(asked).name == name


def test_a_name_that_makes_nothing_is_refused():
    with pytest.raises(SettingError, match="got 'poet'"):
        entry_of("poet")
    with pytest.raises(SettingError, match="--list"):
        make.run(parser_of_commands().parse_args(["make"]))


def test_a_dry_run_prints_every_command_and_runs_none(capsys, monkeypatch):
    monkeypatch.setattr(subprocess, "run", None)
    assert main(["make", "source-lstm", "--dry-run", "--runs", "elsewhere"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == (
        "python -m lm_core train source-lstm-early --out elsewhere/source-lstm-early"
    )
    assert len(printed) == 3
    assert main(["make", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(entries())


def test_a_command_that_fails_stops_those_after_it(monkeypatch, capsys):
    table = {
        "first": Entry("first", ("data list",)),
        "second": Entry("second", ("data fetch no-such-corpus", "data list"), after=("first",)),
        "third": Entry("third", ("data list",), after=("second",)),
    }
    monkeypatch.setattr(make, "entries", lambda: table)
    with pytest.raises(RunError, match="second stopped with status 2"):
        make.run(parser_of_commands().parse_args(["make", "third"]))
    assert capsys.readouterr().out.splitlines() == [
        "python -m lm_core data list",
        "python -m lm_core data fetch no-such-corpus",
    ]
