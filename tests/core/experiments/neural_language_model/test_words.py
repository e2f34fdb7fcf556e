"""Bengio's model on words: how they are read, learned, scored beside counts, and shipped."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from lm_core.experiments.commands import Report
from lm_core.experiments.neural_language_model import command, word_results, words
from lm_core.models.mlp import MLPLanguageModelConfig
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_body
from lm_core.text.word_vocabulary import WordVocabulary
from lm_core.training.evaluation import carried_losses
from lm_core.training.language_modelling import TrainingConfig

needs_book = pytest.mark.skipif(
    not locate(WAR_AND_PEACE.name), reason="the book is not on this machine"
)
SENTENCES = ("The cat sat down.", "A dog ran off!", "Did the dog sit?", "Mice ran off.")
BOOK = " ".join(SENTENCES[i % 4] for i in range(6_000))
SMALL = MLPLanguageModelConfig(11, 2, 4, 16)
SHORT = TrainingConfig(steps=150, batch=8, window=16, learning_rate=0.02, warmup_steps=5)


@pytest.fixture(scope="module")
def divided():
    return words.divided_words(BOOK, SMALL.vocabulary_size)


@pytest.fixture(scope="module")
def network(divided):
    return words.train_on_words(divided.train, SMALL, SHORT).network


@pytest.fixture(scope="module")
def results(divided, network):
    counts = words.count_words(divided, 1.0)
    return word_results.WordResults(
        {},
        divided.vocabulary,
        *word_results.stored(network, counts),
        words.score_words(divided, network, counts),
    )


def test_sentences_end_with_one_token_and_an_open_one_with_none():
    assert words.tokens_of("“Wait...” he said?! Then") == [
        "wait",
        words.END,
        "he",
        "said",
        words.END,
        "then",
    ]
    assert words.tokens_of("... !") == []


def test_the_most_frequent_words_have_ids_and_all_others_share_one():
    vocabulary = words.most_frequent_words([*"aabbbc", words.END, "d"], 4)
    assert vocabulary.words == (words.END, words.UNKNOWN, "b", "a")
    assert vocabulary.counts == (1, 2, 3, 2)
    assert words.encode_tokens(vocabulary, ["d", "a", words.END]).tolist() == [1, 3, 0]
    assert words.context_of(vocabulary, "a", 3) == [1, 0, 3]
    assert words.context_of(vocabulary, "a b a b", 3) == [2, 3, 2]


def test_held_out_words_do_not_enter_the_vocabulary():
    divided = words.divided_words("old news. " * 90 + "new names. " * 9, 9)
    assert "names" not in divided.vocabulary
    assert 1 in divided.held_out
    assert 1 not in divided.train


def test_a_network_learns_which_words_follow(results, divided, network):
    assert results.losses.network < 0.8 * math.log(SMALL.vocabulary_size)
    again = words.train_on_words(divided.train, SMALL, SHORT).network
    assert torch.equal(again.output.weight, network.output.weight)
    after = results.after("A dog", results.network)
    assert results.vocabulary.words[int(after.argmax())] == "ran"
    assert float(after.sum()) == pytest.approx(1)


def test_the_losses_are_of_the_same_words(results, divided, network):
    losses = results.losses
    tokens = torch.from_numpy(divided.held_out)
    assert losses.network == pytest.approx(carried_losses(network, tokens).mean(), abs=1e-5)
    assert losses.difference == pytest.approx(losses.network - losses.kneser_ney[-1], abs=2e-5)
    assert len(losses.kneser_ney) == SMALL.context_size + 1
    assert losses.kneser_ney[1] < losses.kneser_ney[0] - 0.5
    assert losses.mixture < 0.5 * (losses.network + losses.kneser_ney[-1])


def test_what_is_stored_in_fewer_bits_expects_the_same_words(results, network):
    for text in ("the cat", "mice", "the dog ran"):
        np.testing.assert_allclose(
            results.after(text, network), results.after(text, results.network), atol=0.02
        )


def test_words_and_ids_must_be_as_many(results):
    with pytest.raises(ValueError, match="11 words, got 1"):
        replace(results, vocabulary=WordVocabulary(("a",), (1,)))


def test_the_command_writes_what_the_page_reads(tmp_path, monkeypatch, divided, results, capsys):
    monkeypatch.setattr(command, "load_body", lambda: BOOK)
    monkeypatch.setattr(command, "require", lambda name: tmp_path / "book.txt")
    (tmp_path / "book.txt").write_text(BOOK)
    monkeypatch.setattr(command, "divided_words", lambda body: divided)
    monkeypatch.setattr(
        command, "train_on_words", lambda train: words.train_on_words(train, SMALL, SHORT)
    )
    command._words(Report(None)).save(tmp_path / "words.json")
    found = word_results.WordResults.load(tmp_path / "words.json")
    assert found.losses.kneser_ney == results.losses.kneser_ney
    assert found.provenance["held_out"] == len(divided.held_out)
    assert f"{found.losses.network:.4g}" in capsys.readouterr().out


def test_what_is_shipped_holds_together():
    found = word_results.WordResults.load()
    losses = found.losses
    assert found.network.config == words.NETWORK
    assert found.provenance["training"]["steps"] == words.TRAINING.steps
    assert losses.mixture < min(losses.network, losses.kneser_ney[-1])
    assert losses.kneser_ney[0] > losses.kneser_ney[1] > losses.kneser_ney[2]
    assert losses.difference == pytest.approx(losses.network - losses.kneser_ney[-1], abs=1e-4)
    assert found.counts.vocabulary_size == len(found.vocabulary) == words.NETWORK.vocabulary_size
    assert list(found.vocabulary.counts[2:]) == sorted(found.vocabulary.counts[2:], reverse=True)
    files = (found.shipped(), found.shipped().with_suffix(".safetensors"))
    assert sum(path.stat().st_size for path in files) < 2_500_000


@pytest.mark.slow
@needs_book
def test_the_shipped_network_has_the_loss_that_is_reported():
    found, divided = word_results.WordResults.load(), words.divided_words(load_body())
    assert divided.vocabulary == found.vocabulary
    losses = carried_losses(found.network, torch.from_numpy(divided.held_out), chunk=500)
    assert losses.mean() == pytest.approx(found.losses.network, abs=0.005)
