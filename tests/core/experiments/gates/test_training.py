"""Streams of words, and networks that learn them side by side as each would alone."""

import pytest
import torch
from torch.nn import functional

from lm_core.experiments.gates import training
from lm_core.experiments.gates.results import GatesResults
from lm_core.experiments.gates.taps import TAPS, TappedNetwork
from lm_core.rng import generator


def test_each_word_begins_with_a_capital_that_is_named_until_the_next():
    symbols, answers = training.draw_stream(5, 3, 4, generator(1))
    assert symbols.shape == answers.shape == (5, 12)
    words = symbols.view(5, 3, 4)
    assert (words[..., 0] < training.LETTERS).all()
    assert (words[..., 1:] >= training.LETTERS).all()
    assert (answers.view(5, 3, 4) == words[..., :1]).all()


def test_side_by_side_each_has_the_loss_and_the_step_that_it_has_alone():
    networks = training.TappedNetworks(("no-forget", "tied"), seeds=2)
    stream = training.draw_stream(3, 2, 4, generator(4))
    networks.losses(stream).sum().backward()
    norms = networks.gradient_norms()
    for place, (kind, seed) in enumerate(
        [("no-forget", 0), ("no-forget", 1), ("tied", 0), ("tied", 1)]
    ):
        alone = TappedNetwork(TAPS[kind], training.LETTERS, training.WIDTH)
        alone.initialise(generator(seed))
        logits, _ = alone(stream.symbols)
        loss = functional.cross_entropy(logits.flatten(0, 1), stream.answers.flatten())
        loss.backward()
        assert networks.losses(stream)[place].item() == pytest.approx(loss.item(), rel=1e-5)
        norm = torch.cat([w.grad.flatten() for w in alone.parameters()]).norm()
        assert norms[place].item() == pytest.approx(norm.item(), rel=1e-4)


def test_reading_on_word_by_word_is_reading_the_whole_stream():
    networks = training.TappedNetworks(("all", "none"), seeds=1)
    stream = training.draw_stream(100, 3, 5, generator(3))
    right, sizes = networks.read_on(stream, 5)
    logits, state = networks.read(stream.symbols)
    last = (logits[:, :, 4::5].argmax(-1) == stream.answers[:, 4::5]).double().mean(1)
    assert torch.allclose(right, last)
    assert torch.allclose(sizes[:, -1], state[1].abs().mean((1, 2)))


def test_a_cell_learns_a_short_word():
    networks = training.TappedNetworks(("all",), seeds=1)
    losses = torch.stack(list(training.train(3, 1, networks, steps=150)), 1)[0]
    assert losses[0] > 1.9
    assert losses[-1] < 0.2


def test_the_shipped_results_hold_every_cell_length_and_task():
    found = GatesResults.load()
    for kind in TAPS:
        for length in training.LENGTHS:
            for words in (training.ONE_WORD, training.STREAM):
                assert len(found.of(kind, length, words)) == training.SEEDS
    assert found.read_on == training.READ_ON
    never = found.steps("none", 20, training.STREAM, training.STEPS)
    assert never.middle == training.STEPS
