"""The ladder's command, small: what it scores, what it keeps, and what is left to score."""

import argparse
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from lm_core.cli.experiment import add_arguments, run
from lm_core.errors import LMCoreError, ResultError
from lm_core.experiments.model_ladder import command, scoring
from lm_core.experiments.model_ladder.families import FAMILIES, family_of
from lm_core.experiments.model_ladder.results import LadderResults
from lm_core.experiments.model_ladder.training import RECIPES, RungRecipe, train_rung
from lm_core.models.language_model import LanguageModel
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.models.recurrent_language_model import GRULanguageModelConfig, RNNLanguageModelConfig
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.evaluation import mixed_losses
from lm_core.training.language_modelling import TrainingConfig

needs_book = pytest.mark.skipif(
    not locate(WAR_AND_PEACE.name), reason="the book is not on this machine"
)


def small_book(n=40_000):
    ids = torch.randint(1, len(SOURCE), (n,), generator=torch.Generator().manual_seed(0)).numpy()
    ids[1::2] = ids[::2]  # every second character repeats the one before it
    return Book(ids, SOURCE, "small", "0" * 64, licence_start=n - 500)


def parsed(*options):
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return parser.parse_args(["model-ladder", *options])


@pytest.fixture
def ladder(monkeypatch):
    monkeypatch.setattr(scoring, "load_book", lambda vocabulary: small_book(150_000))
    monkeypatch.setattr(scoring, "models_to_score", lambda: [])
    return scoring.Ladder(None, 40)


def test_a_count_of_pairs_beats_single_characters_where_characters_repeat(ladder):
    single, pairs = ladder.rung("ngram-0"), ladder.rung("ngram-1")
    assert pairs.loss < single.loss - 0.5
    assert len(pairs.blocks) == len(single.blocks) == 2
    assert single.parameters < pairs.parameters
    assert len(set(pairs.by_context)) == 1, "it never looks further back than one character"


def test_a_damaged_file_is_refused_and_stays_as_it_is(ladder, tmp_path):
    damaged = tmp_path / "ladder.json"
    damaged.write_text("{", encoding="utf-8")
    with pytest.raises(ResultError, match="ladder"):
        run(parsed("ngram-0", "--out", str(damaged)))
    assert damaged.read_text(encoding="utf-8") == "{"


def test_the_losses_leave_out_the_licence_and_the_lead(ladder):
    held_out = 15_000 - 500
    assert len(ladder.losses("ngram-1").carried) == held_out - scoring._LEAD


def test_a_mixture_is_made_of_the_same_places(ladder, monkeypatch):
    monkeypatch.setitem(scoring.MIXED, "both", ("ngram-0", "ngram-1"))
    first, second = ladder.losses("ngram-0"), ladder.losses("ngram-1")
    mixed = ladder.losses("both")
    assert np.array_equal(mixed.carried, mixed_losses(first.carried, second.carried, 0.6))
    assert np.array_equal(
        mixed.by_context[3], mixed_losses(first.by_context[3], second.by_context[3], 0.6)
    )
    with pytest.raises(LMCoreError):
        ladder.rung("no-such-model")


def test_what_was_scored_is_kept_and_what_was_not_is_next(tmp_path, ladder):
    out = tmp_path / "s.json"
    for name in ("ngram-1", "ngram-0"):
        run(parsed(name, "--places", "20", "--out", str(out)))
    found = LadderResults.load(out)
    assert [rung.name for rung in found.rungs] == ["ngram-0", "ngram-1"]
    left = scoring.not_scored(found)
    assert {"ngram-9", "book-lstm+ngram-9"} <= set(left)
    assert not {"ngram-0", "ngram-1"} & set(left)


class CostsWhatItRead(LanguageModel):
    """After n tokens, token 0 costs n nats."""

    vocabulary_size = 2

    def initial_state(self, batch):
        return ()

    def forward(self, tokens, state):
        n_read = torch.arange(1.0, tokens.shape[1] + 1).expand(tokens.shape)
        return torch.stack([-n_read, (1 - (-n_read).exp()).log()], 2), state


@pytest.mark.parametrize(
    ("place", "context", "expected"), [(7, 4, 2 / 4), (7, 3, 1 / 4), (6, 6, 3 / 4), (5, 5, 2 / 1)]
)
def test_a_token_is_predicted_from_those_wholly_within_the_last_characters(
    place, context, expected
):
    lengths = np.array([2, 3, 1, 4, 2])  # the tokens start at 0, 2, 5, 6 and 10
    tokens = torch.zeros(5, dtype=torch.int64)
    places = SimpleNamespace(_places=torch.tensor([place]))
    found = scoring.Ladder._with_context(places, context, CostsWhatItRead(), tokens, lengths)
    assert found.tolist() == pytest.approx([expected])


@needs_book
def test_a_model_of_subwords_is_scored_on_the_same_characters():
    ladder = scoring.Ladder(12_000, 10)
    subwords, characters = ladder.losses("subword-transformer"), ladder.losses("ngram-1")
    assert len(subwords.carried) == len(characters.carried)
    assert len(subwords.by_context) == 5, "of contexts that are longer than every token"
    assert subwords.by_context[-1].mean() < subwords.by_context[0].mean()
    # Where a character is hard for one it is hard for the other, if they are the same characters.
    assert np.corrcoef(subwords.carried, characters.carried)[0, 1] > 0.1


@pytest.mark.parametrize(
    "network",
    [
        MLPLanguageModelConfig(len(SOURCE), 2, 4, 8),
        RNNLanguageModelConfig(len(SOURCE), 4, 8, 1),
        GRULanguageModelConfig(len(SOURCE), 4, 8, 1),
    ],
    ids=lambda network: type(network).__name__[:3],
)
def test_a_small_model_is_saved_with_its_recipe_and_read_again(tmp_path, network):
    training = TrainingConfig(steps=60, batch=8, window=16, learning_rate=0.03, warmup_steps=5)
    recipe = RungRecipe("small", "Small", network, training)
    model, meta = load_checkpoint(train_rung(recipe, small_book(), tmp_path))
    assert (meta.name, meta.steps, meta.experiment) == ("small", 60, "model_ladder")
    assert meta.characters_seen == 60 * 8 * 16
    assert meta.parameter_count == model.parameter_count
    assert meta.recipe["learning_rate"] == 0.03
    assert model.config == network
    assert family_of(meta) in FAMILIES


def test_what_is_to_be_trained_is_refused_by_name_and_scored_afterwards(tmp_path, monkeypatch):
    trained = []
    monkeypatch.setattr(command, "train_rung", lambda recipe, *_: trained.append(recipe))
    monkeypatch.setattr(command, "load_book", lambda: small_book(150_000))
    monkeypatch.setattr(scoring, "load_book", lambda vocabulary: small_book(150_000))
    monkeypatch.setattr(scoring, "models_to_score", lambda: [])
    with pytest.raises(LMCoreError, match="book-gru"):
        run(parsed("--train", "no-such-model", "--out", str(tmp_path / "s.json")))
    with pytest.raises(LMCoreError, match="'book-gru' cannot be scored"):
        run(parsed("--train", "book-gru", "--out", str(tmp_path / "s.json")))
    assert trained == [RECIPES["book-gru"]]
