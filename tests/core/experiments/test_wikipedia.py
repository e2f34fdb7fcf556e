"""Wikipedia: articles without titles, every tenth held out, and losses in units that other subwords have too."""

import math
from dataclasses import replace

import pytest
import torch

from lm_core.errors import TextError
from lm_core.experiments.published_figures.ledger import FIGURES
from lm_core.experiments.wikipedia import training
from lm_core.experiments.wikipedia.articles import (
    UNKNOWN_WORD,
    as_in_articles,
    in_subwords,
    learn_subwords,
    split_articles,
)
from lm_core.experiments.wikipedia.results import PUBLISHED, WikipediaResults
from lm_core.models.ngram import estimate
from lm_core.models.registry import config_to_dict
from lm_core.text import vocabularies
from lm_core.training.checkpoints import load_checkpoint, load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

FILE = "".join(
    f" \n = Ship {i} = \n \n The <unk> sails 3 @,@ 000 miles .\n = = Fate = = \n \n It sank , {i} .\n"
    for i in range(20)
)


def test_articles_lose_their_titles_and_every_tenth_is_held_out():
    found = split_articles([FILE, FILE])
    assert (len(found.training), len(found.held_out)) == (36, 4)
    assert not set(found.training) & set(found.held_out)
    assert found.training[0] == f"The {UNKNOWN_WORD} sails 3 , 000 miles . It sank , 0 ."
    assert [text.split()[-2] for text in found.held_out] == ["9", "19", "9", "19"]


def test_a_line_that_begins_with_an_equals_sign_is_no_title_within_an_article():
    (one,) = split_articles([" \n = Filters = \n \n The law is\n = 1 / s , so k = 2 .\n"]).training
    assert one == "The law is"


def test_a_rare_word_is_one_subword_and_words_are_counted_as_they_were():
    articles = split_articles([FILE]).training
    vocabulary = learn_subwords(articles, merges=30)
    found = in_subwords(articles, vocabulary)
    assert vocabulary.decode(found.ids) == " ".join(articles)
    assert found.words == sum(len(text.split()) for text in articles)
    assert found.characters == int(vocabulary.lengths[found.ids].sum())
    assert sum(UNKNOWN_WORD in vocabulary.symbols[i] for i in found.ids.tolist()) == len(articles)


def test_a_training_is_evaluated_at_even_steps(monkeypatch):
    articles = split_articles([FILE * 4])
    vocabulary = learn_subwords(articles.training, merges=30)
    learned, held_out = (in_subwords(part, vocabulary) for part in articles)
    monkeypatch.setattr(training, "PROMPT", "The")
    monkeypatch.setattr(training, "BATCH", 2)
    monkeypatch.setattr(training, "POINTS", 3)
    model, seconds, points = training.read(learned, held_out, vocabulary, steps=60)
    assert training.held_out_loss(model, held_out) == points[-1].held_out
    assert [point.step for point in points] == [20, 40, 60]
    n = len(learned.ids)
    assert [point.passes for point in points] == [round(2 * s * 48 / n, 2) for s in (20, 40, 60)]
    assert points[-1].held_out < points[0].held_out < math.log(len(vocabulary)) + 0.5
    assert all(point.text for point in points)
    assert seconds > 0


def test_counts_and_the_model_are_scored_in_the_same_windows():
    articles = split_articles([FILE * 4])
    vocabulary = learn_subwords(articles.training, merges=30)
    learned, held_out = (in_subwords(part, vocabulary) for part in articles)
    model = estimate(learned.ids.numpy(), len(vocabulary), 2)
    losses = []
    for start in range(0, len(held_out.ids) - training.CONTEXT, training.STRIDE):
        window = held_out.ids[None, start : start + training.CONTEXT + 1]
        logits, _ = model(window[:, :-1], model.initial_state(1))
        losses.append(torch.nn.functional.cross_entropy(logits[0].double(), window[0, 1:]))
    expected = float(torch.stack(losses).mean())
    found = training.trigram_loss(learned, held_out, len(vocabulary))
    assert found == pytest.approx(expected, abs=1e-4)


def test_a_loss_is_the_same_in_other_units():
    found = WikipediaResults.load()
    length = replace(found.held_out, subwords=300, words=100, characters=600)
    halved = replace(found, held_out=length)
    assert halved.per_word(2.0) == pytest.approx(6.0)
    assert halved.bits_per_character(2 * math.log(2)) == pytest.approx(1.0)


def test_what_is_published_is_what_the_ledger_has():
    written = {figure.name: figure for figure in FIGURES}
    assert written["wiki-loss"].value == PUBLISHED.loss
    assert written["wiki-subwords"].value == PUBLISHED.subwords
    assert f"about {PUBLISHED.training}" in written["wiki-loss"].protocol
    assert PUBLISHED.passes == 3 * training.CONTEXT
    assert PUBLISHED.all_subwords == PUBLISHED.subwords + 262_228


def test_what_is_shipped_is_the_training_that_the_command_makes():
    found = WikipediaResults.load()
    every = training.STEPS // training.POINTS
    assert [p.step for p in found.points] == list(range(every, training.STEPS + 1, every))
    unseen = [p.held_out for p in found.points]
    assert unseen == sorted(unseen, reverse=True)
    assert found.trigram < unseen[-1]
    assert (found.learned.articles, found.held_out.articles) == (108, 12)


def test_the_model_is_saved_with_its_subwords_and_writes_what_it_wrote(tmp_path, monkeypatch):
    articles = split_articles([FILE * 4])
    vocabulary = learn_subwords(articles.training, merges=30)
    learned, held_out = (in_subwords(part, vocabulary) for part in articles)
    monkeypatch.setattr(training, "PROMPT", "The")
    monkeypatch.setattr(training, "BATCH", 2)
    model, seconds, points = training.read(learned, held_out, vocabulary, steps=10)
    lengths = (
        training.length_of(*pair) for pair in zip(articles, (learned, held_out), strict=True)
    )
    made = {"corpus": "wikitext-2", "corpus_sha256": "0", "seed": 1, "device": "cpu"}
    found = WikipediaResults(made, *lengths, 1.0, seconds, points)
    monkeypatch.setattr(vocabularies, "TOKENIZERS", tmp_path / "tokenizers")
    folder = training.save(tmp_path, model, vocabulary, found)
    loaded, meta = load_checkpoint(folder)
    again = vocabularies.load_subwords(meta.vocabulary)
    assert again.symbols == vocabulary.symbols
    assert training.held_out_loss(loaded, in_subwords(articles.held_out, again)) == pytest.approx(
        points[-1].held_out, abs=2e-4
    )
    nats = points[-1].held_out * len(held_out.ids) / held_out.characters
    assert meta.losses["validation"] == pytest.approx(nats, abs=1e-4)
    assert (meta.steps, meta.experiment) == (10, "wikipedia")


def test_the_shipped_model_is_the_one_that_the_results_are_of():
    found, (model, meta) = WikipediaResults.load(), load_shipped(training.MODEL)
    end = found.points[-1]
    assert (meta.steps, meta.seconds) == (end.step, found.seconds)
    assert meta.config == config_to_dict(training.network(len(vocabulary_of(meta))))
    assert training.written(model, vocabulary_of(meta)) == end.text


def test_a_prompt_is_read_as_the_articles_are_written():
    assert as_in_articles(" The film , it\nended(late) ") == "The film , it ended ( late )"
    model, meta = load_shipped(training.MODEL)
    vocabulary = vocabulary_of(meta)
    with pytest.raises(TextError, match="at least one character"):
        training.begin_text(model, vocabulary, as_in_articles(" "))
