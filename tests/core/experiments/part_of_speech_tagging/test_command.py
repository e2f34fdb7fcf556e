"""The command: trains what is not there yet, and scores what is there as it is stored."""

from dataclasses import replace

import numpy as np
import pytest

from lm_core.errors import CheckpointError
from lm_core.experiments.commands import Report
from lm_core.experiments.part_of_speech_tagging import scoring
from lm_core.experiments.part_of_speech_tagging.results import COUNTING
from lm_core.experiments.part_of_speech_tagging.settings import RECIPES, SEEDS
from lm_core.experiments.part_of_speech_tagging.training import encode_sentences, learn_vocabulary
from lm_core.models.tag_counts import TagCounts
from lm_core.text.catalogue import BROWN
from lm_core.text.corpora import locate
from lm_core.text.tagged_sentences import TAGS, TEST, VALIDATION, TaggedSentence
from lm_core.training.checkpoints import read_meta

NOUN, VERB, DET = (TAGS.index(tag) for tag in ("NOUN", "VERB", "DET"))
SENTENCES = [
    TaggedSentence(("the", "walk", "ended"), (DET, NOUN, VERB)),
    TaggedSentence(("walk", "the", "dog"), (VERB, DET, NOUN)),
] * 12
HELD_OUT = [*SENTENCES, TaggedSentence(("an", "owl"), (DET, NOUN))]
CHOSEN = ("no-context", "averaged-1")

pytestmark = pytest.mark.skipif(
    locate(BROWN.name) is None, reason="the Brown corpus is not on this machine"
)


@pytest.fixture
def recipes(monkeypatch):
    short = {
        name: replace(RECIPES[name], training=replace(RECIPES[name].training, steps=3))
        for name in CHOSEN
    }
    monkeypatch.setattr(scoring, "RECIPES", short)
    return short


@pytest.fixture
def trained(recipes, tmp_path):
    vocabulary = learn_vocabulary(SENTENCES)
    encoded = encode_sentences(SENTENCES, vocabulary)
    for recipe in recipes.values():
        for seed in SEEDS:
            scoring.train(recipe.with_seed(seed), tmp_path, encoded, len(vocabulary))
    return tmp_path, vocabulary, encoded


def scored(trained):
    folder, vocabulary, _ = trained
    part = scoring.Part(HELD_OUT, encode_sentences(HELD_OUT, vocabulary))
    parts = {VALIDATION: part, TEST: part}
    return scoring.score_all(
        folder, vocabulary, TagCounts.of(SENTENCES), parts, ["ca10"], Report(None)
    )


def test_a_tagger_that_is_there_is_not_trained_again(trained, recipes, capsys):
    folder, vocabulary, encoded = trained
    before = {path: path.stat().st_mtime_ns for path in folder.glob("*/model.safetensors")}
    assert len(before) == len(CHOSEN) * len(SEEDS)
    scoring.train(recipes["no-context"].with_seed(1), folder, encoded, len(vocabulary))
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert read_meta(folder / "averaged-1-seed-2").seed == 2


def test_every_training_is_scored_and_of_the_first_seed_kept(trained):
    found = scored(trained)
    assert [(score.name, score.seed) for score in found.scores] == [
        (name, seed) for name in CHOSEN for seed in SEEDS
    ]
    assert set(found.models) == set(CHOSEN)
    assert set(found.mistakes) == {*CHOSEN, COUNTING}
    assert found.sizes == {"every": 74, "seen": 72, "unseen": 2, "ambiguous": 24}
    # Counting knows the, dog and ended; walk is as often a verb as a noun, an owl is two nouns.
    assert np.trace(found.mistakes[COUNTING].counts) == 61
    assert found.baseline == pytest.approx((61 / 74, 60 / 72, 1 / 2, 1 / 2), abs=1e-5)


def test_a_tagger_that_is_missing_is_named(trained):
    folder, *_ = trained
    (folder / "averaged-1-seed-2" / "meta.json").unlink()
    with pytest.raises(CheckpointError, match="averaged-1-seed-2"):
        scored(trained)
