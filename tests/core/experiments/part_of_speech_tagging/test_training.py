"""Training a tagger: batches, hidden words, and that it learns what only neighbours tell."""

import numpy as np
import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.part_of_speech_tagging import settings
from lm_core.experiments.part_of_speech_tagging.training import (
    NO_TAG,
    TaggerTraining,
    encode_sentences,
    hide_words,
    predict_tags,
    replacement_shares,
    tagged_batch,
)
from lm_core.models import tagger
from lm_core.models.recurrent import LSTMCell
from lm_core.rng import generator
from lm_core.text.tagged_sentences import TAGS, TaggedSentence
from lm_core.text.word_features import PADDING, UNKNOWN_WORD, FeatureVocabulary

NOUN, VERB, DET, PRT = (TAGS.index(tag) for tag in ("NOUN", "VERB", "DET", "PRT"))
SENTENCES = [
    TaggedSentence(("to", "increase"), (PRT, VERB)),
    TaggedSentence(("the", "increase"), (DET, NOUN)),
    TaggedSentence(("the", "walk", "to", "walk"), (DET, NOUN, PRT, VERB)),
] * 4
COUNTS = {"to": 8, "the": 8, "increase": 8, "walk": 8}
VOCABULARY = FeatureVocabulary.learn(COUNTS, least_count=1, least_words=1)
SIZES = {"vocabulary_size": len(VOCABULARY), "tags": len(TAGS), "embedding_size": 8}
CONFIG = settings.TaggerTrainingConfig(
    steps=60, batch_tokens=16, learning_rate=0.05, warmup_steps=0, word_dropout=0.0
)
ENCODED = encode_sentences(SENTENCES, VOCABULARY)


def share_right(model):
    predicted = np.concatenate(predict_tags(model, ENCODED))
    return (predicted == np.concatenate([sentence.tags for sentence in ENCODED])).mean()


@pytest.mark.parametrize(
    "model",
    [
        tagger.WindowTaggerConfig(**SIZES, window=1, hidden_size=16),
        tagger.RecurrentTaggerConfig(**SIZES, hidden_size=8),
        tagger.TransformerTaggerConfig(**SIZES, width=16, heads=2, layers=1),
    ],
    ids=lambda config: type(config).__name__,
)
def test_with_neighbours_a_tagger_learns_what_an_ambiguous_word_is(model):
    training = TaggerTraining(model, CONFIG, ENCODED)
    losses = [step.loss for step in training]
    assert losses[-1] < losses[0]
    assert share_right(training.model) == 1.0


def test_without_neighbours_it_cannot():
    training = TaggerTraining(
        tagger.WindowTaggerConfig(**SIZES, window=0, hidden_size=16), CONFIG, ENCODED
    )
    list(training)
    assert share_right(training.model) == pytest.approx(0.75)  # the halves of increase and walk


def test_a_trained_recurrent_tagger_has_its_readable_cells_again():
    training = TaggerTraining(tagger.RecurrentTaggerConfig(**SIZES, hidden_size=8), CONFIG, ENCODED)
    before = training.model.forwards.weight_hh.clone()
    list(training)
    assert type(training.model.forwards) is type(training.model.backwards) is LSTMCell
    assert not torch.equal(before, training.model.forwards.weight_hh)
    assert not training.model.training


def test_the_same_seed_gives_the_same_weights():
    def weights(seed):
        config = settings.TaggerTrainingConfig(steps=3, batch_tokens=16, seed=seed)
        training = TaggerTraining(tagger.WindowTaggerConfig(**SIZES, window=1), config, ENCODED)
        list(training)
        return training.model.hidden.weight

    assert torch.equal(weights(1), weights(1))
    assert not torch.equal(weights(1), weights(2))


def test_behind_a_sentence_there_is_padding():
    batch = tagged_batch(ENCODED[1:3])
    assert batch.lengths.tolist() == [2, 4]
    assert (batch.features[0, 2:] == PADDING).all()
    assert batch.tags[0].tolist() == [DET, NOUN, NO_TAG, NO_TAG]
    assert batch.tags[1].tolist() == [DET, NOUN, PRT, VERB]


def test_a_word_is_hidden_the_more_often_the_rarer_it_is():
    more = [*ENCODED, *ENCODED[:1]]  # to increase, once more
    shares = replacement_shares(more, len(VOCABULARY), 2.0)
    to, the = VOCABULARY.encode(["to", "the"])[:, 0]
    assert shares[to] == pytest.approx(2 / (2 + 9))
    assert shares[the] == pytest.approx(2 / (2 + 8))
    assert shares[UNKNOWN_WORD] == 1.0


def test_a_hidden_word_keeps_its_other_features_and_padding_stays():
    batch = tagged_batch(ENCODED[:3])
    hidden = hide_words(batch.features, torch.ones(len(VOCABULARY)), generator(1))
    is_word = batch.features[..., 0] != PADDING
    assert (hidden[..., 0][is_word] == UNKNOWN_WORD).all()
    assert (hidden[..., 0][~is_word] == PADDING).all()
    assert torch.equal(hidden[..., 1:], batch.features[..., 1:])
    assert not (batch.features[..., 0] == UNKNOWN_WORD).any()
    untouched = hide_words(batch.features, torch.zeros(len(VOCABULARY)), generator(1))
    assert torch.equal(untouched, batch.features)


def test_there_is_a_recipe_for_every_window_and_combination():
    for window in settings.WINDOWS:
        for combination in (tagger.AVERAGED, tagger.CONCATENATED):
            config = settings.RECIPES[settings.window_name(combination, window)].model(50)
            assert config.window == window
            assert config.combination == combination or not window
    assert len(settings.RECIPES) == 2 * len(settings.WINDOWS) + 1


@pytest.mark.parametrize("wrong", [{"steps": 0}, {"learning_rate": 0.0}, {"word_dropout": -1.0}])
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(SettingError):
        settings.TaggerTrainingConfig(**{"steps": 10, **wrong})
