"""Trainings and measurements of masked language models, on a text and models small enough to count by hand."""

import json
import math

import numpy as np
import pytest
import torch
from torch.nn import functional

from lm_core.errors import CheckpointError, SettingError, TextError
from lm_core.experiments.masked_language_model import measuring, results, split_scores, text_scores
from lm_core.experiments.masked_language_model.measuring import curves_of, ship
from lm_core.experiments.masked_language_model.segments import Segments
from lm_core.experiments.masked_language_model.settings import (
    EIGHTY,
    MAIN,
    RECIPES,
    SPLITS,
    MaskedTrainingConfig,
)
from lm_core.experiments.masked_language_model.training import MaskedTraining, masked_loss
from lm_core.experiments.masked_language_model.windows import Window, draw_windows, tag_windows
from lm_core.experiments.masked_language_model.word_classes import EVERY, ClassScore, score_classes
from lm_core.experiments.part_of_speech_tagging.results import TaggingResults
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from lm_core.text.whole_words import as_subword_text
from lm_core.training.masking import MaskingConfig, mask_tokens
from tests.core.toy_models import random_lstm

VOCABULARY = vocabulary_named(FULL_SUBWORDS)
TEXT = "\nThe old man went out. He came back!\nShe said nothing to him. Then she smiled.\n" * 12
CHARACTERS = MaskedLanguageModelConfig(len(FULL), width=8, heads=2, layers=1, longest=64)
IDS = FULL.encode(TEXT)
SEGMENTS = Segments(IDS, FULL.symbols, CHARACTERS)
CONFIG = MaskedTrainingConfig(
    steps=6, batch_tokens=96, lengths=(16, 24), warmup_steps=1, masking=MaskingConfig(share=0.3)
)


def a_model(config=CHARACTERS, seed=1):
    model = MaskedLanguageModel(config)
    model.initialise(generator(seed))
    return model.eval()


def a_training(config=CONFIG):
    return MaskedTraining(MaskedLanguageModel(CHARACTERS), config, SEGMENTS)


# Segments -------------------------------------------------------------------------------------


def test_a_segment_is_text_between_its_symbols():
    batch = SEGMENTS.cut(torch.tensor([1, 5]), torch.tensor([6, 3]), 9)
    config = CHARACTERS
    assert batch.lengths.tolist() == [8, 5]
    assert batch.tokens[0].tolist() == [
        config.first_id, *IDS[1:7].tolist(), config.separator_id, config.padding_id,
    ]  # fmt: skip
    assert batch.tokens[1].tolist() == [
        config.first_id, *IDS[5:8].tolist(), config.separator_id, *[config.padding_id] * 4,
    ]  # fmt: skip
    assert batch.starts_word[0].tolist() == [
        True,
        True,
        False,
        False,
        True,
        True,
        False,
        True,
        True,
    ]


def test_half_of_the_segments_are_whole_sentences_of_a_paragraph():
    batch = SEGMENTS.draw(200, 34, generator(0))
    texts = [
        FULL.decode(row[1 : n - 1].tolist())
        for row, n in zip(batch.tokens, batch.lengths.tolist(), strict=True)
    ]
    whole = [text for text in texts if text.startswith("\n") and text[-1] in ".!"]
    assert 0.35 < len(whole) / len(texts) < 0.65
    assert all(text in TEXT and len(text) <= 32 for text in texts)
    assert any(len(text) < 32 for text in whole)


def test_a_text_without_paragraphs_is_refused():
    with pytest.raises(TextError, match="paragraph"):
        Segments(FULL.encode("no line break"), FULL.symbols, CHARACTERS)


# Training -------------------------------------------------------------------------------------


def test_it_learns():
    training = a_training(
        MaskedTrainingConfig(steps=60, batch_tokens=192, lengths=(24,), warmup_steps=5)
    )
    losses = [step.loss for step in training]
    assert np.mean(losses[-10:]) < 0.93 * np.mean(losses[:5])
    assert training.targets_seen < 0.25 * training.tokens_seen


def test_the_loss_is_that_of_the_chosen_places_alone():
    model, masking, rng = a_model(), MaskingConfig(share=0.3), generator(0)
    total, n = 0.0, 0
    for _ in range(3):
        batch = SEGMENTS.draw(16, 24, rng)
        masked = mask_tokens(batch.tokens, batch.starts_word, masking, CHARACTERS, rng)
        with torch.no_grad():
            logits = model(masked.inputs, batch.lengths)
        targets = batch.tokens.where(masked.is_target, -100)  # what torch leaves out
        total += float(
            functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), reduction="sum")
        )
        n += int(masked.is_target.sum())
    found = masked_loss(model, SEGMENTS, masking, batches=3, length=24)
    assert found == pytest.approx(total / n, rel=1e-5)


def test_a_resumed_training_goes_on_as_if_nothing_had_happened():
    straight = a_training()
    for _ in straight:
        pass
    first = a_training()
    for step in first:
        if step.step == 3:
            break
    second = a_training()
    second.load_state_dict(first.state_dict())
    for _ in second:
        pass
    assert second.tokens_seen == straight.tokens_seen
    for name, weight in straight.model.state_dict().items():
        assert torch.equal(weight, second.model.state_dict()[name]), name
    with pytest.raises(CheckpointError, match="does not fit"):
        second.load_state_dict({"model": {}})


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"lengths": (4,)}, "lengths"),
        ({"lengths": ()}, "lengths"),
        ({"held_out": 0.7}, "held_out"),
        ({"dtype": "float16"}, "dtype"),
        ({"learning_rate": 0.0}, "learning_rate"),
    ],
)
def test_impossible_settings_are_refused(fields, said):
    with pytest.raises(SettingError, match=said):
        MaskedTrainingConfig(steps=1, **fields)


def test_the_small_recipes_differ_in_nothing_but_their_split():
    alike = {
        (recipe.model, recipe.training.steps, recipe.training.seed, recipe.training.learning_rate)
        for name, recipe in RECIPES.items()
        if name in SPLITS
    }
    assert len(alike) == 1
    assert len({RECIPES[name].training.masking for name in SPLITS}) == len(SPLITS)


def test_a_training_is_shipped_only_at_its_end(tmp_path):
    with pytest.raises(CheckpointError, match="at step 0 of 1,600"):
        ship(RECIPES[EIGHTY], a_training(), None, tmp_path)


# Measurements ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def main():
    return a_model(MaskedLanguageModelConfig(len(VOCABULARY), width=8, heads=2, layers=1))


@pytest.fixture(scope="module")
def causal():
    return random_lstm(len(VOCABULARY), 4, 6, 1)


@pytest.fixture(scope="module")
def texts():
    return draw_windows(VOCABULARY.encode(TEXT), VOCABULARY, 5, sizes=(8, 20))


def test_windows_are_whole_sentences_from_a_paragraphs_start(texts):
    assert len(texts) == 5
    for text in texts:
        line = "".join(text.spelled)
        assert line.startswith("\n")
        assert line[-1] in ".!"
        assert "\n" not in line[1:]
        assert 8 <= len(text.ids) <= 20


def test_words_get_the_tags_of_the_tagger_where_both_part_the_text_alike():
    ids = VOCABULARY.encode('\nThe old man went out quickly. He didn\'t say "no".')
    (window,) = tag_windows([as_subword_text(ids, VOCABULARY)], TaggingResults.load())
    tags = dict(zip(window.text.spellings, window.tags, strict=True))
    assert tags["The"] == "DET"
    assert tags["man"] == "NOUN"
    assert tags["went"] == "VERB"
    assert tags["He"] == "PRON"
    assert tags["."] == "."
    assert tags["didn"] is None


def test_class_scores_are_means_over_words(main, causal, texts):
    windows = [Window(text, ("NOUN", *[None] * (len(text.words) - 2), ".")) for text in texts]
    every, *by_tag = score_classes(main, causal, windows, words_per_window=2)
    assert every.tag == EVERY
    assert every.words == 10
    assert {score.tag: score.words for score in by_tag} == {"NOUN": 5, ".": 5}
    mean = np.mean([score.both_bits for score in by_tag])
    assert every.both_bits == pytest.approx(mean, abs=1e-3)


class Parrot(MaskedLanguageModel):
    """Names whatever stands at a place."""

    def hidden_states(self, tokens, lengths):
        return functional.one_hot(tokens, self.config.vocabulary_size + 4).float()

    def predict(self, hidden):
        return 20.0 * hidden[..., : self.config.vocabulary_size]


def test_a_parrot_is_right_where_the_word_is_left_in():
    scores = split_scores.score_splits(
        {"parrot": Parrot(CHARACTERS)}, SEGMENTS, batches=2, length=24
    )
    right = {score.condition: score.accuracy for score in scores}
    assert right[split_scores.LEFT_IN] == 1.0
    assert right[split_scores.COVERED] < 0.2
    assert len({score.targets for score in scores}) == 1, "the same words in all three ways"


def test_pairs_orders_and_sweeps_are_measured(main, causal, texts):
    pairs = text_scores.score_pairs(main, texts, 3)
    assert {score.pairs for score in pairs} == {3}
    assert pairs[0].bits == pytest.approx(2 * math.log2(len(VOCABULARY)), rel=0.1)
    orders = {
        score.order: score
        for score in text_scores.score_orders(main, causal, VOCABULARY, texts[:2])
    }
    assert orders[text_scores.AS_WRITTEN].sentences == 2
    assert orders[text_scores.AS_WRITTEN].left_bits != orders[text_scores.BACKWARDS].left_bits
    sweeps = text_scores.score_gibbs(main, causal, VOCABULARY, chains=2, tokens=3, sweeps=2)
    assert [score.sweep for score in sweeps] == [1, 2]
    assert all(score.low <= score.bits <= score.high for score in sweeps)


def test_bits_are_a_character(causal):
    ids = VOCABULARY.encode("\nThe old man")
    logits, _ = causal(torch.from_numpy(ids)[None, :-1], causal.initial_state(1))
    p = logits[0].detach().softmax(-1)
    nats = -sum(float(p[i, token].log()) for i, token in enumerate(ids[1:]))
    assert text_scores.bits_of(causal, VOCABULARY, ids[1:].tolist()) == pytest.approx(
        nats / math.log(2.0) / len("The old man"), rel=1e-5
    )


# Results --------------------------------------------------------------------------------------

RESULTS = results.MaskedResults(
    {"date": "2026"},
    (ClassScore(EVERY, 3, 0.1, 0.2, 5.0, 4.0),),
    (text_scores.PairScore("at once", 2, 0.5, None),),
    (text_scores.OrderScore(text_scores.AS_WRITTEN, 1, 2.0, 1.0),),
    (text_scores.SweepScore(1, 2.0, 1.0, 3.0),),
    {"the book": 1.5},
    (results.CurvePoint(MAIN, 200, 4.5),),
)
SPLIT_RESULTS = results.SplitResults(
    {"date": "2026"},
    (split_scores.SplitScore(EIGHTY, split_scores.COVERED, 9, 0.3, 5.0),),
    (results.CurvePoint(EIGHTY, 200, 5.0),),
)


def test_a_score_is_found_by_what_it_is_of():
    assert RESULTS.of_class().both == 0.2
    assert SPLIT_RESULTS.of(EIGHTY, split_scores.COVERED).accuracy == 0.3


def test_curves_are_read_from_the_records_of_the_trainings(tmp_path):
    folder = tmp_path / MAIN
    folder.mkdir()
    rows = [{"step": 200, "held_out": 5.0}, {"step": 220}, {"step": 200, "held_out": 4.9}]
    (folder / measuring.LOG).write_text("\n".join(map(json.dumps, rows)))
    assert curves_of(tmp_path, (MAIN, EIGHTY)) == (results.CurvePoint(MAIN, 200, 4.9),)
