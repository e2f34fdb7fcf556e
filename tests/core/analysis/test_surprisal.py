"""Surprisal, entropy and ranks against hand-made models, and how they add up over words."""

import math
from contextlib import contextmanager

import numpy as np
import pytest
import torch

from lm_core.analysis import surprisal
from lm_core.errors import TextError
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from tests.core.toy_models import PairModel, random_lstm, random_pair_model

V = len(SOURCE)
TEXT = "So it goes, said she. " * 40


@pytest.fixture(scope="module")
def pairs():
    return random_pair_model(V)


def expected_logs(model, text):
    """The log-probabilities (N, V) that the table gives at each place, a space before the first."""
    ids = SOURCE.encode(text)
    read = np.concatenate([SOURCE.encode(" "), ids[:-1]])
    return torch.log_softmax(model.table[torch.from_numpy(read)].double(), -1).numpy(), ids


def test_each_token_costs_the_logarithm_of_its_probability(pairs):
    logs, ids = expected_logs(pairs, TEXT)
    scores = surprisal.score_text(pairs, TEXT, SOURCE)
    own = logs[np.arange(len(ids)), ids]
    np.testing.assert_allclose(scores.surprisal, -own / math.log(2), rtol=1e-6)
    entropy = -(np.exp(logs) * logs).sum(1) / math.log(2)
    np.testing.assert_allclose(scores.entropy, entropy, rtol=1e-6)
    assert scores.ranks.tolist() == (1 + (logs > own[:, None]).sum(1)).tolist()
    assert scores.bits_per_character == pytest.approx(-own.mean() / math.log(2))


def test_candidates_are_the_most_probable_and_the_prediction_sums_to_one(pairs):
    logs, _ = expected_logs(pairs, TEXT)
    scores = surprisal.score_text(pairs, TEXT, SOURCE)
    assert scores.candidates.shape == (len(TEXT), surprisal.CANDIDATES)
    assert (
        scores.candidates[5].tolist()
        == np.argsort(-logs[5], kind="stable")[: surprisal.CANDIDATES].tolist()
    )
    prediction = scores.prediction(5, V)
    assert prediction.sum() == pytest.approx(1.0)
    known = [*scores.candidates[5], scores.ids[5]]
    np.testing.assert_allclose(prediction[known], np.exp(logs[5][known]), rtol=1e-5)


def test_a_text_read_in_chunks_carries_the_state():
    model = random_lstm(V).eval()
    text = (TEXT * 2)[:1_200]
    scores = surprisal.score_text(model, text, SOURCE)
    ids = torch.from_numpy(SOURCE.encode(" " + text))
    with torch.no_grad():
        logits, _ = model(ids[None, :-1], model.initial_state(1))
    logs = logits[0].double().log_softmax(-1)
    own = logs.gather(1, ids[1:, None])[:, 0].numpy()
    np.testing.assert_allclose(scores.surprisal, -own / math.log(2), atol=1e-5)


def test_each_call_of_the_model_has_its_turn_and_progress_ends_at_one(pairs):
    turns, shares = [], []

    @contextmanager
    def turn():
        turns.append("in")
        yield
        turns.append("out")

    surprisal.score_text(pairs, TEXT[:700], SOURCE, model_turn=turn, on_progress=shares.append)
    assert turns == ["in", "out"] * 2
    assert shares == [pytest.approx(500 / 700), 1.0]


@pytest.mark.parametrize("text", ["", "naïve"])
def test_what_the_model_cannot_read_is_refused(pairs, text):
    with pytest.raises(TextError):
        surprisal.score_text(pairs, text, SOURCE)


def test_a_sure_model_is_not_surprised():
    table = torch.full((V, V), -100.0)
    a, b = SOURCE.encode("ab").tolist()
    table[SOURCE.encode(" ").item(), a] = table[a, b] = table[b, a] = 100.0
    scores = surprisal.score_text(PairModel(table), "abab", SOURCE)
    assert scores.surprisal.tolist() == pytest.approx([0.0] * 4, abs=1e-9)
    assert scores.rank_shares(surprisal.rank_limits(SOURCE)) == (1.0, 0.0, 0.0, 0.0)


def test_classes_of_ranks_end_at_their_limits(pairs):
    scores = surprisal.score_text(pairs, TEXT, SOURCE)
    limits = surprisal.rank_limits(SOURCE)
    classes = scores.rank_classes(limits)
    for rank, found in zip(scores.ranks.tolist(), classes.tolist(), strict=True):
        assert found == sum(rank > limit for limit in limits)
    assert sum(scores.rank_shares(limits)) == pytest.approx(1.0)
    assert surprisal.rank_limits(vocabulary_named(FULL_SUBWORDS)) != limits


def test_subwords_are_spread_over_their_characters():
    vocabulary = vocabulary_named(FULL_SUBWORDS)
    scores = surprisal.score_text(
        random_pair_model(len(vocabulary)), "The prince looked", vocabulary
    )
    assert len(scores.ids) < scores.n_characters == len("The prince looked")
    assert scores.by_character.sum() == pytest.approx(scores.surprisal.sum())
    assert scores.bits_per_character == pytest.approx(scores.surprisal.sum() / 17)


def test_words_take_the_space_before_them_and_add_up():
    text = "  One two.\nThree "
    bits = np.arange(len(text), dtype=float)
    words = surprisal.surprisal_by_word(text, bits)
    assert [word.word for word in words] == ["One", "two.", "Three"]
    assert "".join(text[word.start : word.end] for word in words) == text
    assert sum(word.bits for word in words) == bits.sum()
    assert words[1].bits == sum(range(5, 10))
    with pytest.raises(ValueError, match="17 characters"):
        surprisal.surprisal_by_word(text, bits[1:])


def test_several_models_read_the_same_characters():
    raw = "“Well, Prince,” said Анна: naïve\n\nand left."
    shared = surprisal.readable_text(raw, FULL, SOURCE)
    assert all(vocabulary.encode(shared).all() for vocabulary in (FULL, SOURCE))
    assert '"' in surprisal.readable_text(raw, FULL)
    assert '"' not in shared
    assert shared == surprisal.readable_text(shared, SOURCE, FULL)


def test_shuffling_keeps_what_there_is_and_changes_its_order():
    text = "one two three four five six seven eight"
    words = surprisal.shuffled_words(text, 1)
    assert words != text
    assert sorted(words.split()) == sorted(text.split())
    assert words == surprisal.shuffled_words(text, 1) != surprisal.shuffled_words(text, 2)
    letters = surprisal.shuffled_characters(text, 1)
    assert letters != text
    assert sorted(letters) == sorted(text)
