"""Each recipe begins as it did when its first losses were recorded.

`first_losses.json` holds the losses of the first fifty steps of a run of each recipe, on a processor
with one thread.
"""

import json
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
import torch

from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate, sha256_of
from lm_core.training.recipes import RECIPES

_RECORDED: dict[str, list[float]] = json.loads(
    Path(__file__).with_name("first_losses.json").read_text()
)
_TOLERANCE = 0.02  # nats: another processor adds in another order, and 50 steps carry that on


def test_every_recipe_has_its_first_losses_recorded():
    assert set(_RECORDED) == set(RECIPES)
    assert {len(losses) for losses in _RECORDED.values()} == {50}


@pytest.mark.slow
@pytest.mark.parametrize("name", _RECORDED)
def test_a_recipe_begins_as_it_did(name, tmp_path):
    recipe = RECIPES[name]
    book = locate(WAR_AND_PEACE.name)
    if book is None:
        pytest.skip("the book is not here")
    config = run_config(
        recipe,
        corpus=WAR_AND_PEACE.name,
        corpus_sha256=sha256_of(book),
        vocabulary=recipe.vocabulary,
    )
    steps = train_here(RunFolder(tmp_path / "run"), config, device=torch.device("cpu"))
    with closing(steps):
        losses = [step.loss for step in islice(steps, len(_RECORDED[name]))]
    assert losses == pytest.approx(_RECORDED[name], abs=_TOLERANCE)
