"""CBOW with the full softmax: equal to torch's own modules, and it learns."""

from dataclasses import replace

import pytest
import torch
from torch import nn

from lm_core.errors import DivergenceError, SettingError, TextError
from lm_core.experiments.word2vec import full_softmax
from lm_core.text.word_vocabulary import read_words

TEXT = (
    "the king sat and the queen sat while the king and the queen saw the dog and the dog sat " * 8
)
CONFIG = full_softmax.FullSoftmaxConfig(width=6, window=2, epochs=3, batch=32)


@pytest.fixture
def material():
    vocabulary, ids = read_words([TEXT], minimum_count=1)
    return torch.from_numpy(ids), vocabulary


def test_context_words_end_with_the_text():
    words, inside = full_softmax.context_words(torch.tensor([5, 6, 7, 8]), torch.tensor([0, 2]), 2)
    assert words.tolist() == [[0, 0, 6, 7], [5, 6, 8, 0]]
    assert inside.tolist() == [[False, False, True, True], [True, True, True, False]]


def test_a_mean_takes_only_the_context_words_that_exist():
    input = torch.tensor([[100.0], [1.0], [4.0]])
    words, inside = torch.tensor([[0, 1, 2]]), torch.tensor([[False, True, True]])
    assert full_softmax.mean_of_context(input, words, inside).tolist() == [[2.5]]


def test_long_rows_are_shortened_as_torch_shortens_them():
    rng = torch.Generator().manual_seed(0)
    table = torch.randn(9, 4, generator=rng)
    torchs = nn.Embedding(9, 4, max_norm=1.0)
    torchs.weight.data = table.clone()
    rows = torch.tensor([0, 3, 5])
    torchs(rows)
    full_softmax.shorten_rows(table, rows, 1.0)
    torch.testing.assert_close(table, torchs.weight.data)
    assert table[rows].norm(dim=1).max() <= 1.0 + 1e-6


def test_training_is_that_of_torchs_modules(material):
    tokens, vocabulary = material
    training = full_softmax.FullSoftmaxTraining(tokens, vocabulary, CONFIG)
    embedding = nn.Embedding(len(vocabulary), CONFIG.width, max_norm=1.0)
    linear = nn.Linear(CONFIG.width, len(vocabulary), bias=False)
    embedding.weight.data = training.vectors.input.detach().clone()
    linear.weight.data = training.vectors.output.detach().clone()
    losses = [step.loss for step in training]

    rng = torch.Generator().manual_seed(CONFIG.seed)
    torch.randn(len(vocabulary), CONFIG.width, generator=rng)
    torch.empty(len(vocabulary), CONFIG.width).uniform_(generator=rng)
    optimizer = torch.optim.Adam([*embedding.parameters(), *linear.parameters()], lr=0.1)
    schedule = torch.optim.lr_scheduler.LinearLR(optimizer, 1.0, 0.0, total_iters=len(losses))
    expected = []
    for _ in range(CONFIG.epochs):
        for middles in torch.randperm(len(tokens), generator=rng).split(CONFIG.batch):
            means = [
                embedding(torch.cat([tokens[max(0, i - 2) : i], tokens[i + 1 : i + 3]])).mean(0)
                for i in middles.tolist()
            ]
            loss = nn.functional.cross_entropy(linear(torch.stack(means)), tokens[middles].long())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            expected.append(loss.item())
    assert losses == pytest.approx(expected, abs=2e-4)
    assert losses[-1] < losses[0] - 0.3


def test_shares_end_with_one_and_a_seed_repeats(material):
    first, again, other = (
        full_softmax.FullSoftmaxTraining(*material, replace(CONFIG, seed=seed))
        for seed in (1, 1, 2)
    )
    shares = [first.share for _ in first]
    assert shares[-1] == 1.0
    assert len(shares) == 3 * -(-len(material[0]) // 32)
    list(again), list(other)
    assert torch.equal(first.vectors.input, again.vectors.input)
    assert not torch.equal(first.vectors.input, other.vectors.input)


def test_what_cannot_be_is_refused(material):
    tokens, vocabulary = material
    with pytest.raises(TextError, match="at least 2 words, it has 1"):
        full_softmax.FullSoftmaxTraining(tokens[:1], vocabulary, CONFIG)
    for changes in ({"width": 0}, {"learning_rate": 0.0}, {"max_norm": -1.0}):
        with pytest.raises(SettingError, match=next(iter(changes))):
            full_softmax.FullSoftmaxConfig(**changes)
    training = full_softmax.FullSoftmaxTraining(tokens, vocabulary, CONFIG)
    training.vectors.output.data[0, 0] = torch.nan
    with pytest.raises(DivergenceError, match="step 1 the loss is nan"):
        next(iter(training))
