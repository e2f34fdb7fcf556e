"""Word vectors: the gradients against autograd pair by pair, sampling, similarity, and learning."""

import math
from dataclasses import replace

import numpy as np
import pytest
import torch
from torch.nn import functional as F

from lm_core.analysis.similarity import nearest, odd_one_out, unit_vectors
from lm_core.analysis.word_pairs import ScoredPair, agreement, rank_correlation, read_pairs
from lm_core.errors import SettingError, ShapeError, TextError
from lm_core.experiments.word2vec.negative_sampling import cbow, skip_gram, window_mask
from lm_core.experiments.word2vec.subsampling import NoiseDistribution, keep_probabilities
from lm_core.experiments.word2vec.training import EmbeddingConfig, EmbeddingTraining
from lm_core.rng import generator
from lm_core.text.word_vocabulary import WordVocabulary, read_words, words_of

B, T, N, D, K = 2, 6, 5, 4, 3


@pytest.fixture
def block():
    """Vectors of the words read, asked for and drawn, and how far windows reach."""
    rng = generator(3)
    shapes = ((B, T, D), (B, T, D), (B, N, D))
    vectors = [torch.randn(shape, generator=rng, dtype=torch.float64) for shape in shapes]
    return vectors, torch.tensor([[1, 2, 1, 1, 3, 2], [2, 2, 1, 3, 1, 1]])


def neighbours(reach, i):
    return [j for j in range(max(0, i - reach), min(T, i + reach + 1)) if j != i]


def loss_pair_by_pair(method, vectors, reach):
    """The published loss, one pair after another; K random words stand for all N of a block."""
    read, asked, noise = vectors
    total = torch.zeros((), dtype=torch.float64)
    for b in range(B):
        for i in range(T):
            near = neighbours(int(reach[b, i]), i)
            if method is skip_gram:
                cases = [(read[b, i], asked[b, j]) for j in near]
            else:
                cases = [(read[b, near].mean(0), asked[b, i])]
            for v, u in cases:
                total = total - F.logsigmoid(v @ u)
                for k in range(N):
                    total = total - F.logsigmoid(-(v @ noise[b, k])) * K / N
    return total


def test_skip_gram_has_the_gradient_of_the_published_loss(block):
    vectors, reach = block
    for vector in vectors:
        vector.requires_grad_()
    loss = loss_pair_by_pair(skip_gram, vectors, reach)
    loss.backward()
    with torch.no_grad():
        found = skip_gram(*vectors, window_mask(reach, T).double(), K)
    assert found.loss.item() == pytest.approx(loss.item())
    assert found.n_pairs == sum(
        len(neighbours(int(reach[b, i]), i)) for b in range(B) for i in range(T)
    )
    for ours, vector in zip((found.read, found.asked, found.noise), vectors, strict=True):
        torch.testing.assert_close(ours, vector.grad)


def test_cbow_has_the_gradient_of_the_published_loss_but_for_the_neighbours_share(block):
    vectors, reach = block
    for vector in vectors:
        vector.requires_grad_()
    loss = loss_pair_by_pair(cbow, vectors, reach)
    loss.backward()
    mask = window_mask(reach, T).double()
    with torch.no_grad():
        found = cbow(*vectors, mask, K)
    assert found.loss.item() == pytest.approx(loss.item())
    assert found.n_pairs == B * T
    torch.testing.assert_close(found.asked, vectors[1].grad)
    torch.testing.assert_close(found.noise, vectors[2].grad)
    # Each neighbour gets the whole gradient of the mean: rebuild it from autograd's by the shares.
    read = vectors[0].detach().clone().requires_grad_()
    mean = mask / mask.sum(-1, keepdim=True) @ read
    mean.retain_grad()
    (-F.logsigmoid((mean * vectors[1].detach()).sum(-1))).sum().backward(retain_graph=True)
    (-F.logsigmoid(-(mean @ vectors[2].detach().mT)) * K / N).sum().backward()
    torch.testing.assert_close(found.read, mask.mT @ mean.grad)


def test_a_word_without_neighbours_teaches_cbow_nothing():
    vectors = torch.ones(3, 1, 2, 4)
    found = cbow(*vectors, torch.zeros(1, 2, 2), K)
    assert (found.loss.item(), found.n_pairs) == (0.0, 0)
    assert not any(part.any() for part in (found.read, found.asked, found.noise))


def test_a_window_is_a_band_that_ends_with_its_block():
    mask = window_mask(torch.tensor([[1, 2, 1]]), 3)
    assert mask.tolist() == [[[0, 1, 0], [1, 0, 1], [0, 1, 0]]]


def test_frequent_words_are_read_seldom():
    counts = torch.tensor([900.0, 90.0, 9.0, 1.0])
    keep = keep_probabilities(counts, 0.01)
    ratio = 0.01 / 0.9
    assert keep[0].item() == pytest.approx(math.sqrt(ratio) + ratio)
    assert keep[2:].tolist() == [1.0, 1.0]
    assert keep_probabilities(counts, 0.0).tolist() == [1.0] * 4


def test_noise_follows_the_smoothed_counts():
    counts = torch.tensor([100.0, 10.0, 1.0])
    noise = NoiseDistribution(counts)
    drawn = torch.bincount(noise.draw(20_000, rng=generator(1)), minlength=3) / 20_000
    expected = counts**0.75 / (counts**0.75).sum()
    torch.testing.assert_close(drawn, expected, atol=0.01, rtol=0.0)


def test_names_are_not_cut_at_their_accents():
    assert words_of("Natásha’s Ménage, NAÏVE ﬁre — ‘Ça!’") == [
        "natasha's",
        "menage",
        "naive",
        "fire",
        "ca",
    ]


def test_words_and_their_numbers():
    words = words_of("The Count's count was the count, the 2nd!")
    assert words == ["the", "count's", "count", "was", "the", "count", "the", "nd"]
    texts = ["Count the", "counts: the count's", "count was the the 2nd count!"]
    vocabulary, ids = read_words(texts, minimum_count=2)
    assert vocabulary.words == ("the", "count")  # four times, three times
    assert vocabulary.counts == (4, 3)
    assert ids.tolist() == [1, 0, 0, 1, 0, 0, 1]
    assert vocabulary.encode(words_of(texts[2])).tolist() == ids[3:].tolist()
    assert "was" not in vocabulary
    with pytest.raises(TextError, match="4 times or more, 1 do"):
        read_words(texts, minimum_count=4)


def test_equally_frequent_words_keep_the_order_of_the_text():
    vocabulary, _ = read_words(["zebra apple zebra mango apple mango mango"], minimum_count=2)
    assert vocabulary.words == ("mango", "zebra", "apple")


@pytest.fixture
def compass():
    """Unit vectors to the east, north-east, north, west and south."""
    return unit_vectors(torch.tensor([[1.0, 0], [1, 1], [0, 1], [-1, 0], [0, -1]]))


def test_nearest_words_have_the_largest_cosines(compass):
    wanted = torch.tensor([7.0, 0.7])  # almost east, a little to the north
    found = nearest(compass, wanted, 3)
    assert [each.id for each in found] == [0, 1, 2]
    cosines = [math.cos(math.radians(turn) - math.atan(0.1)) for turn in (0, 45, 90)]
    assert [each.cosine for each in found] == pytest.approx(cosines)
    assert [each.id for each in nearest(compass, wanted, 9, without=[0, 1])] == [2, 4, 3]
    with pytest.raises(ShapeError, match=r"\(5, 2\) and \(3,\)"):
        nearest(compass, torch.ones(3), 1)


def test_the_odd_one_out_fits_the_others_least(compass):
    place, fits = odd_one_out(compass, [0, 1, 2, 4])
    assert place == 3
    assert len(fits) == 4
    with pytest.raises(SettingError, match="at least 3, got 2"):
        odd_one_out(compass, [0, 1])


@pytest.mark.parametrize("seed", range(3))
def test_rank_correlation_is_spearmans(seed):
    rng = np.random.default_rng(seed)
    first, second = rng.integers(0, 6, 40).astype(float), rng.normal(size=40)

    def ranks(values):
        return [(values < v).sum() + ((values == v).sum() + 1) / 2 for v in values]

    expected = np.corrcoef(ranks(first), ranks(second))[0, 1]
    assert rank_correlation(first, second) == pytest.approx(expected)
    assert math.isnan(rank_correlation(first[:1], second[:1]))


def test_agreement_tells_how_many_pairs_it_knows(compass):
    vocabulary = WordVocabulary(("east", "northeast", "north", "west", "south"), (5, 4, 3, 2, 1))
    pairs = read_pairs("east\tNortheast\t9\neast\tnorth\t5\neast\twest\t1\neast\tup\t3\n")
    assert pairs[0] == ScoredPair("east", "northeast", 9.0)
    found = agreement(compass, vocabulary, pairs)
    assert found.correlation == 1.0
    assert (found.n_pairs, found.n_known, found.unknown_share) == (4, 3, 0.25)
    for text in ("east west 3", "", "east\twest\tmany"):
        with pytest.raises(TextError):
            read_pairs(text)


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
    config = EmbeddingConfig(
        method, width=8, window=3, epochs=6, block=32, batch=2, thresholds=(0.0,)
    )
    training = EmbeddingTraining(*two_worlds(), config)
    losses = [step.loss for step in training]
    assert np.mean(losses[-20:]) < np.mean(losses[:20]) - 0.1
    unit = unit_vectors(training.vectors.read.detach())
    cosines = unit @ unit.T
    same = torch.cat([cosines[1:5, 1:5].flatten(), cosines[5:, 5:].flatten()]).mean()
    other = cosines[1:5, 5:].mean()
    assert same > other + 0.5


def test_a_seed_gives_the_same_vectors_again_and_another_does_not():
    config = EmbeddingConfig(width=4, epochs=1, block=16, batch=2)
    first, again, other = (
        EmbeddingTraining(*two_worlds(1_000), replace(config, seed=seed)) for seed in (1, 1, 2)
    )
    for training in (first, again, other):
        list(training)
    assert torch.equal(first.vectors.read, again.vectors.read)
    assert not torch.equal(first.vectors.read, other.vectors.read)


def test_shares_rise_to_one_over_all_epochs():
    text, vocabulary = two_worlds(1_000)
    config = EmbeddingConfig(width=4, epochs=2, block=16, batch=4, thresholds=(0.0,))
    shares = [step.share for step in EmbeddingTraining(text, vocabulary, config)]
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    assert len(shares) == 2 * (
        len(text) // 10
    )  # nine words: one block of twice the window at a time


def test_the_passes_take_the_thresholds_in_turn():
    text, vocabulary = two_worlds(1_000)
    config = EmbeddingConfig(width=4, epochs=4, block=16, batch=2, thresholds=(0.0, 1e-3))
    ends = [step.share for step in EmbeddingTraining(text, vocabulary, config)]
    steps = [sum(epoch < 4 * share <= epoch + 1 for share in ends) for epoch in range(4)]
    assert steps[0] == steps[2] > 2 * max(steps[1], steps[3])


def test_what_cannot_be_is_refused():
    with pytest.raises(SettingError, match="method must be one of"):
        EmbeddingConfig("glove")
    with pytest.raises(SettingError, match="one or more numbers"):
        EmbeddingConfig(thresholds=())
    with pytest.raises(SettingError, match=r"none negative, got \(0.001, -1.0\)"):
        EmbeddingConfig(thresholds=(1e-3, -1.0))
    with pytest.raises(SettingError, match="width must be at least 1, got 0"):
        EmbeddingConfig(width=0)
    with pytest.raises(TextError, match="at least 64 words, one block, it has 3"):
        EmbeddingTraining(*of_ids(np.array([0, 1, 0])), EmbeddingConfig())
