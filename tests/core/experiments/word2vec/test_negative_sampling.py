"""Negative sampling: the losses against the published ones pair by pair, sampling, and learning."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lm_core.analysis.word_space import unit_vectors
from lm_core.errors import DivergenceError, SettingError, TextError
from lm_core.experiments.word2vec import negative_sampling
from lm_core.experiments.word2vec.negative_sampling_training import (
    NegativeSamplingConfig,
    NegativeSamplingTraining,
)
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary

B, T, N, D, K = 2, 6, 5, 4, 3


@pytest.fixture
def block():
    """Input and output embeddings of the blocks' words, those drawn at random, and window sizes."""
    rng = generator(3)
    shapes = ((B, T, D), (B, T, D), (B, N, D))
    vectors = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes]
    for vector in vectors:
        vector.requires_grad_()
    return vectors, torch.tensor([[1, 2, 1, 1, 3, 2], [2, 2, 1, 3, 1, 1]])


def context(radius, i):
    return [j for j in range(max(0, i - radius), min(T, i + radius + 1)) if j != i]


def loss_pair_by_pair(method, vectors, radius):
    """The published loss, one pair after another; K random words stand for all N of a block."""
    input, output, noise = vectors
    total = torch.zeros((), dtype=torch.float64)
    for b in range(B):
        for i in range(T):
            near = context(int(radius[b, i]), i)
            if method is negative_sampling.skip_gram_loss:
                cases = [(input[b, i], output[b, j]) for j in near]
            else:
                cases = [(input[b, near].mean(0), output[b, i])]
            for v, u in cases:
                total = total - F.logsigmoid(v @ u)
                for k in range(N):
                    total = total - F.logsigmoid(-(v @ noise[b, k])) * K / N
    return total


def gradients_of(loss):
    return loss.by_input, loss.by_output, loss.by_noise


def test_skip_gram_has_the_published_loss_and_its_gradient(block):
    vectors, radius = block
    expected = loss_pair_by_pair(negative_sampling.skip_gram_loss, vectors, radius)
    found = negative_sampling.skip_gram_loss(
        *vectors, negative_sampling.window_mask(radius, T).double(), K
    )
    assert found.total.item() == pytest.approx(expected.item())
    assert found.n_pairs == sum(
        len(context(int(radius[b, i]), i)) for b in range(B) for i in range(T)
    )
    torch.testing.assert_close(gradients_of(found), torch.autograd.grad(expected, vectors))


def test_cbow_has_the_published_loss_and_each_context_word_the_whole_gradient_of_the_mean(block):
    vectors, radius = block
    expected = loss_pair_by_pair(negative_sampling.cbow_loss, vectors, radius)
    mask = negative_sampling.window_mask(radius, T).double()
    found = negative_sampling.cbow_loss(*vectors, mask, K)
    assert found.total.item() == pytest.approx(expected.item())
    assert found.n_pairs == B * T
    ours, theirs = gradients_of(found), torch.autograd.grad(expected, vectors)
    torch.testing.assert_close(ours[1:], theirs[1:])
    # Each context word gets the whole gradient of the mean: rebuild it from autograd's by the shares.
    mean = mask / mask.sum(-1, keepdim=True) @ vectors[0]
    loss = (-F.logsigmoid((mean * vectors[1].detach()).sum(-1))).sum()
    loss = loss + (-F.logsigmoid(-(mean @ vectors[2].detach().mT)) * K / N).sum()
    torch.testing.assert_close(ours[0], mask.mT @ torch.autograd.grad(loss, mean)[0])


def test_a_word_without_context_teaches_cbow_nothing():
    found = negative_sampling.cbow_loss(
        *(torch.ones(1, 2, 4) for _ in range(3)), torch.zeros(1, 2, 2), K
    )
    assert (found.total.item(), found.n_pairs) == (0.0, 0)
    assert not any(part.any() for part in gradients_of(found))


def test_a_window_is_a_band_that_ends_with_its_block():
    mask = negative_sampling.window_mask(torch.tensor([[1, 2, 1]]), 3)
    assert mask.tolist() == [[[0, 1, 0], [1, 0, 1], [0, 1, 0]]]


def test_frequent_words_are_kept_seldom():
    counts = torch.tensor([900.0, 90.0, 9.0, 1.0])
    keep = negative_sampling.keep_probabilities(counts, 0.01)
    ratio = 0.01 / 0.9
    assert keep[0].item() == pytest.approx(math.sqrt(ratio) + ratio)
    assert keep[2:].tolist() == [1.0, 1.0]
    assert negative_sampling.keep_probabilities(counts, 0.0).tolist() == [1.0] * 4


def test_noise_follows_the_smoothed_counts():
    counts = torch.tensor([100.0, 10.0, 1.0])
    noise = negative_sampling.NoiseDistribution(counts)
    drawn = torch.bincount(noise.draw(20_000, rng=generator(1)), minlength=3) / 20_000
    expected = counts**0.75 / (counts**0.75).sum()
    torch.testing.assert_close(drawn, expected, atol=0.01, rtol=0.0)


def two_worlds(n=6_000):
    """A text of two worlds: words 1 to 4 stand together, and words 5 to 8; word 0 stands everywhere."""
    rng = np.random.default_rng(0)
    worlds = np.repeat(rng.integers(0, 2, n // 10), 10)
    words = 1 + 4 * worlds + rng.integers(0, 4, n)
    return of_ids(np.where(rng.random(n) < 0.3, 0, words))


def of_ids(ids):
    """A text and the vocabulary of its words, which are called by their numbers."""
    counts = np.bincount(ids)
    names = tuple(f"word{i}" for i in range(len(counts)))
    return torch.from_numpy(ids), WordVocabulary(names, tuple(counts.tolist()))


@pytest.mark.parametrize("method", ["skip-gram", "cbow"])
def test_words_of_one_company_come_to_lie_together(method):
    config = NegativeSamplingConfig(
        method, width=8, window=3, epochs=3, block=32, batch=2, thresholds=(0.0,)
    )
    training = NegativeSamplingTraining(*two_worlds(), config)
    losses = [step.loss for step in training]
    assert np.mean(losses[-20:]) < np.mean(losses[:20]) - 0.1
    unit = unit_vectors(training.vectors.input.detach())
    cosines = unit @ unit.T
    same = torch.cat([cosines[1:5, 1:5].flatten(), cosines[5:, 5:].flatten()]).mean()
    other = cosines[1:5, 5:].mean()
    assert same > other + 0.5


def test_a_seed_gives_the_same_vectors_again_and_another_does_not():
    config = NegativeSamplingConfig(width=4, epochs=1, block=16, batch=2)
    first, again, other = (
        NegativeSamplingTraining(*two_worlds(1_000), replace(config, seed=seed))
        for seed in (1, 1, 2)
    )
    for training in (first, again, other):
        list(training)
    assert torch.equal(first.vectors.input, again.vectors.input)
    assert not torch.equal(first.vectors.input, other.vectors.input)


def test_shares_rise_to_one_over_all_epochs():
    text, vocabulary = two_worlds(1_000)
    config = NegativeSamplingConfig(width=4, epochs=2, block=16, batch=4, thresholds=(0.0,))
    training = NegativeSamplingTraining(text, vocabulary, config)
    assert training.share == 0.0
    shares = [training.share for _ in training]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) == 2 * (
        len(text) // 10
    )  # nine words: one block of twice the window at a time


def test_the_passes_take_the_thresholds_in_turn():
    text, vocabulary = two_worlds(1_000)
    config = NegativeSamplingConfig(width=4, epochs=4, block=16, batch=2, thresholds=(0.0, 1e-3))
    training = NegativeSamplingTraining(text, vocabulary, config)
    ends = [training.share for _ in training]
    steps = [sum(epoch < 4 * share <= epoch + 1 for share in ends) for epoch in range(4)]
    assert steps[0] == steps[2] > 2 * max(steps[1], steps[3])


@pytest.mark.parametrize(
    ("method", "input", "output"),
    [
        (
            "skip-gram",
            [
                [0.0402561, -0.8974742, -0.5397158, 0.5926093],
                [-0.0716021, -0.8336748, -0.5114239, 0.6740516],
            ],
            [
                [0.087763, 0.8752062, 0.4945737, -0.6077121],
                [0.0820555, 1.2102774, 0.7523255, -0.7796057],
            ],
        ),
        (
            "cbow",
            [
                [-0.328564, -2.000587, -0.3702557, 2.2409854],
                [-0.2823008, -0.7975478, -0.1788608, 1.0389283],
            ],
            [
                [0.1168924, 0.4749613, 0.0722135, -0.5407189],
                [0.1256899, 0.5636969, 0.1056489, -0.6363378],
            ],
        ),
    ],
)
def test_a_seed_gives_the_vectors_that_hand_derived_gradients_gave(method, input, output):
    """Recorded when each gradient was still written out by hand and added to the tables directly."""
    config = NegativeSamplingConfig(
        method, width=4, epochs=2, block=16, batch=2, thresholds=(1e-2, 0.0)
    )
    training = NegativeSamplingTraining(*two_worlds(1_000), config)
    list(training)
    for found, expected in ((training.vectors.input, input), (training.vectors.output, output)):
        torch.testing.assert_close(found[:2], torch.tensor(expected), atol=5e-6, rtol=0)


def test_a_training_that_leaves_the_numbers_ends_with_a_message():
    training = NegativeSamplingTraining(*two_worlds(1_000), NegativeSamplingConfig(width=4))
    training.vectors.output.data[0] = torch.nan
    with pytest.raises(DivergenceError, match="step 1 the loss is nan"):
        list(training)


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="method must be one of"):
        NegativeSamplingConfig("glove")
    with pytest.raises(SettingError, match="one or more numbers"):
        NegativeSamplingConfig(thresholds=())
    with pytest.raises(SettingError, match=r"none negative, got \(0.001, -1.0\)"):
        NegativeSamplingConfig(thresholds=(1e-3, -1.0))
    with pytest.raises(SettingError, match="width must be at least 1, got 0"):
        NegativeSamplingConfig(width=0)
    with pytest.raises(TextError, match="at least 64 words, it has 3"):
        NegativeSamplingTraining(*of_ids(np.array([0, 1, 0])), NegativeSamplingConfig())
