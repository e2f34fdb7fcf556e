"""Batches, the loss, and a training that goes on where it stopped; a made-up language, no corpus."""

from dataclasses import replace

import pytest
import torch
from torch.nn import functional

from lm_core.errors import CheckpointError, SettingError
from lm_core.experiments.translation.batches import (
    BucketedBatches,
    encode_pairs,
    in_batches,
    pair_batch,
)
from lm_core.experiments.translation.settings import RECIPES, TranslationTrainingConfig
from lm_core.experiments.translation.training import TranslationTraining, mean_loss, token_losses
from lm_core.generation.translation import translate_all
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import END, PAD, SIZE, START, TranslationVocabulary

WORDS = {"one": "un", "red": "rouge", "dog": "chien", "cat": "chat", "runs": "court"}
PAIRS = [
    SentencePair(" ".join(words), " ".join(WORDS[word] for word in words[::-1]))
    for n in (1, 2, 3)
    for first in range(5)
    for words in [[list(WORDS)[(first * n + i * i) % 5] for i in range(n)]]
]
VOCABULARY = TranslationVocabulary.learn("tiny", [s for pair in PAIRS for s in pair], 60)
ENCODED = encode_pairs(PAIRS, VOCABULARY)
RECURRENT = EncoderDecoderConfig(len(VOCABULARY), "additive", 16, 16, 24, 16, 8, dropout=0.1)
TRANSFORMER = EncoderDecoderTransformerConfig(len(VOCABULARY), width=16, heads=2, layers=1)
TRAINING = TranslationTrainingConfig(steps=12, batch_tokens=24, warmup_steps=2)


def training(model=RECURRENT, **changes):
    return TranslationTraining(model, replace(TRAINING, **changes), ENCODED, ENCODED[:4])


def test_a_batch_reads_the_start_and_predicts_the_end():
    batch = pair_batch(ENCODED[:6])
    assert (batch.read[:, 0] == START).all()
    for row, pair in enumerate(ENCODED[:6]):
        n = len(pair.target)
        assert batch.targets.ids[row, :n].tolist() == pair.target
        assert pair.target[-1] == pair.source[-1] == END
        assert batch.read[row, 1:n].tolist() == pair.target[:-1]
        assert (batch.targets.ids[row, n:] == PAD).all()


def test_a_pass_has_each_pair_once_in_batches_that_are_not_too_large():
    for batches in (in_batches(ENCODED, 24), BucketedBatches(ENCODED, 24, seed=3)._batches):
        assert sorted(place for batch in batches for place in batch) == list(range(len(ENCODED)))
        for batch in batches:
            assert len(batch) * max(len(ENCODED[place].target) for place in batch) <= 24


def test_passes_differ_and_depend_on_the_seed_alone():
    def drawn(seed, n=14):
        batches = BucketedBatches(ENCODED, 24, seed)
        return [batches.next_batch().targets.ids.tolist() for _ in range(n)]

    first, again, other = drawn(1), drawn(1), drawn(2)
    assert first == again
    assert first != other
    n = len(BucketedBatches(ENCODED, 24, 1)._batches)
    assert first[:n] != first[n : 2 * n]


def test_batches_go_on_in_the_middle_of_a_later_pass():
    batches, later = BucketedBatches(ENCODED, 24, 1), BucketedBatches(ENCODED, 24, 1)
    for _ in range(8):
        batches.next_batch()
    later.load_state_dict(batches.state_dict())
    for _ in range(8):
        assert torch.equal(later.next_batch().read, batches.next_batch().read)


@pytest.mark.parametrize("smoothing", [0.0, 0.3])
def test_the_loss_is_torchs_without_the_padding(smoothing):
    logits = torch.randn(3, 5, 7, dtype=torch.float64, requires_grad=True)
    targets = torch.tensor([[4, 5, 3, PAD, PAD], [6, 3, PAD, PAD, PAD], [4, 4, 5, 6, 3]])
    nats, smoothed = token_losses(logits, targets, smoothing)
    flat, labels = logits.flatten(0, 1), targets.flatten()
    expected = functional.cross_entropy(flat, labels, ignore_index=PAD, label_smoothing=smoothing)
    torch.testing.assert_close(smoothed, expected)
    torch.testing.assert_close(
        nats, functional.cross_entropy(flat, labels, ignore_index=PAD).detach()
    )
    (ours,) = torch.autograd.grad(smoothed, logits)
    (theirs,) = torch.autograd.grad(
        functional.cross_entropy(
            logits.flatten(0, 1), labels, ignore_index=PAD, label_smoothing=smoothing
        ),
        logits,
    )
    torch.testing.assert_close(ours, theirs)


def test_the_validation_loss_is_a_mean_over_tokens():
    model = training().model.eval()
    total = sum(mean_loss(model, [pair]) * len(pair.target) for pair in ENCODED)
    n_tokens = sum(len(pair.target) for pair in ENCODED)
    assert mean_loss(model, ENCODED) == pytest.approx(total / n_tokens, rel=1e-5)


@pytest.mark.parametrize("model", [RECURRENT, TRANSFORMER], ids=["recurrent", "transformer"])
@pytest.mark.parametrize("optimizer", ["adamw", "muon"])
def test_a_training_that_was_stopped_ends_where_it_would_have(model, optimizer):
    whole = training(model, optimizer=optimizer)
    losses = [step.loss for step in whole]
    begun, resumed = training(model, optimizer=optimizer), training(model, optimizer=optimizer)
    steps = iter(begun)
    for _ in range(5):
        next(steps)
    resumed.load_state_dict(begun.state_dict())
    assert [step.loss for step in resumed] == losses[5:]
    for name, weight in whole.model.state_dict().items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name
    assert whole.tokens_seen == resumed.tokens_seen > 0


def test_a_state_of_another_model_is_refused():
    with pytest.raises(CheckpointError):
        training().load_state_dict(training(TRANSFORMER).state_dict())


@pytest.mark.parametrize("model", [RECURRENT, TRANSFORMER], ids=["recurrent", "transformer"])
def test_a_small_language_is_learned_by_heart(model):
    found = training(model, steps=120, batch_tokens=200, learning_rate=2e-2, label_smoothing=0.0)
    for _ in found:
        pass
    sources = [pair.source for pair in PAIRS]
    translated = translate_all(found.model.eval(), VOCABULARY, sources)
    assert translated == [pair.target for pair in PAIRS]


def test_own_predictions_take_the_place_of_the_target_when_they_are_due():
    forced, sampled = (
        [step.loss for step in training(sampled=share, sampled_from=0.5)] for share in (0.0, 1.0)
    )
    assert forced[:7] == sampled[:7]
    assert forced[7:] != sampled[7:]


def test_the_share_of_own_predictions_rises_in_a_straight_line():
    config = replace(TRAINING, steps=200, sampled=0.4, sampled_from=0.5)
    assert [config.sampled_at(step) for step in (0, 100, 150)] == pytest.approx([0.0, 0.0, 0.2])


@pytest.mark.parametrize(
    "wrong", [{"steps": 0}, {"learning_rate": 0.0}, {"sampled": 1.1}, {"optimizer": "sgd"}], ids=str
)
def test_impossible_settings_are_refused(wrong):
    with pytest.raises(SettingError, match=next(iter(wrong))):
        replace(TRAINING, **wrong)


def test_recipes_read_the_shipped_vocabulary_and_are_named_by_their_seed():
    for name, recipe in RECIPES.items():
        assert recipe.model.vocabulary_size == SIZE
        assert recipe.with_seed(7).name == f"{name}-seed-7"
        assert recipe.with_seed(recipe.training.seed) is recipe
