"""Data-parallel training: which rule is one machine's step, number by number and with real processes."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError, ShapeError
from lm_core.experiments.overfitting import speed_up
from lm_core.experiments.overfitting.machines import (
    MEAN_OF_MEANS,
    SUM_OF_MEANS,
    SUM_OF_SUMS,
    WEIGHTED_MEAN,
    combine,
    descend_together,
    line_gradient,
    minibatch,
    parallel_step,
    shard_sizes,
)
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.rng import generator

INPUTS = torch.randn((12, 5), generator=generator(1))
TARGETS = torch.randint(0, 3, (12,), generator=generator(2))


@pytest.fixture(scope="module")
def mean_gradient():
    """Return the gradient of a network of two layers, by autograd, in one float32 tensor."""
    with torch.random.fork_rng():
        torch.random.default_generator.manual_seed(3)
        network = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 3))

    def gradient(x, y):
        loss = nn.functional.cross_entropy(network(x), y)
        return torch.cat([g.flatten() for g in torch.autograd.grad(loss, [*network.parameters()])])

    return gradient


@pytest.mark.parametrize("sizes", [(12,), (3, 3, 3, 3), (6, 6), (9, 1, 1, 1), (5, 7)])
@pytest.mark.parametrize("how", [WEIGHTED_MEAN, SUM_OF_SUMS])
def test_a_weighted_mean_and_a_sum_of_sums_are_one_machines_for_all_parts(
    sizes, how, mean_gradient
):
    step = parallel_step(INPUTS, TARGETS, sizes, how, mean_gradient)
    assert float((step.combined - step.alone).abs().max()) < 1e-6 * (
        12 if how == SUM_OF_SUMS else 1
    )
    scale = 12 if how == SUM_OF_SUMS else 1
    torch.testing.assert_close(step.alone, scale * mean_gradient(INPUTS, TARGETS))


def test_a_mean_of_means_is_one_machines_for_equal_parts_alone(mean_gradient):
    equal, unequal = (
        parallel_step(INPUTS, TARGETS, sizes, MEAN_OF_MEANS, mean_gradient)
        for sizes in ((4, 4, 4), (10, 1, 1))
    )
    assert float((equal.combined - equal.alone).abs().max()) < 1e-6
    assert float((unequal.combined - unequal.alone).abs().max()) > 1e-2


def test_a_sum_of_means_is_as_many_times_as_long_as_there_are_machines(mean_gradient):
    step = parallel_step(INPUTS, TARGETS, (3, 3, 3, 3), SUM_OF_MEANS, mean_gradient)
    torch.testing.assert_close(step.combined, 4.0 * step.alone, atol=1e-6, rtol=1e-5)


def test_each_part_is_its_own_and_in_order():
    x, y = minibatch()
    step = parallel_step(x, y, (5, 1, 1, 1), SUM_OF_MEANS, line_gradient(1.0))
    by_hand = [((x[:5] - y[:5]) * x[:5]).mean(), *((x[5:] - y[5:]) * x[5:])]
    assert [float(g) for g in step.gradients] == pytest.approx([float(g) for g in by_hand])


@pytest.mark.parametrize(
    ("batch", "machines", "is_equal", "sizes"),
    [
        (8, 4, True, (2, 2, 2, 2)),
        (8, 3, True, (3, 3, 2)),
        (8, 4, False, (5, 1, 1, 1)),
        (8, 1, False, (8,)),
    ],
)
def test_parts_are_equal_or_not(batch, machines, is_equal, sizes):
    assert shard_sizes(batch, machines, is_equal=is_equal) == sizes


def test_the_slides_sum_of_means_overshoots_where_one_machine_converges():
    found = descend_together((2, 2, 2, 2), SUM_OF_MEANS, 0.1, 4)
    assert found.together == pytest.approx((1.0, 3.05, 1.0, 3.05, 1.0))
    assert found.alone[1:3] == pytest.approx((1.5125, 1.76875))
    assert found.best == pytest.approx(81 / 40)


@pytest.mark.parametrize(
    ("ask", "error", "named"),
    [
        (lambda: shard_sizes(3, 4), SettingError, "for each machine"),
        (lambda: shard_sizes(3, 0), SettingError, "machines"),
        (lambda: combine([torch.ones(1)], [1], "median"), SettingError, "median"),
        (lambda: combine([torch.ones(1)], [1, 2], SUM_OF_SUMS), ShapeError, "size"),
        (lambda: speed_up.measure((2, 4)), SettingError, "begin with 1"),
        (lambda: speed_up.measure((1, 3)), SettingError, "divide"),
    ],
)
def test_impossible_parts_are_refused(ask, error, named):
    with pytest.raises(error, match=named):
        ask()


def test_two_processes_end_with_the_weights_of_one():
    """Real ones, with gloo's all-reduce, beside plain gradient descent on whole batches."""
    times, weights = speed_up._run(2, steps=2)
    assert times.shape == (2, 2, 2)
    assert (times[..., 1] > 0).all()
    assert (times[..., 1] < times[..., 0]).all()
    model = TransformerLanguageModel(speed_up.NETWORK)
    model.initialise(generator(1))
    rng = generator(2)
    for _ in range(speed_up.WARM_UP + 2):
        text = torch.randint(70, (speed_up.ROWS, speed_up.WINDOW + 1), generator=rng)
        logits, _ = model(text[:, :-1], model.initial_state(len(text)))
        nn.functional.cross_entropy(logits.transpose(1, 2), text[:, 1:]).backward()
        with torch.no_grad():
            for parameter in model.parameters():
                parameter -= speed_up.RATE * parameter.grad
                parameter.grad = None
    expected = torch.cat([p.detach().flatten() for p in model.parameters()])
    assert float((weights - expected).abs().max()) < 1e-6


def test_speeds_are_those_of_the_fastest_step_on_its_slowest_process_and_differences_those_from_one(
    monkeypatch,
):
    steps = {1: [[[4.0, 0.0]]], 2: [[[1.0, 0.2], [6.0, 0.3]], [[3.0, 0.4], [2.0, 0.5]]]}
    ends = {1: torch.tensor([1.0, 2.0]), 2: torch.tensor([1.0, 2.5])}
    monkeypatch.setattr(speed_up, "_run", lambda k, _: (torch.tensor(steps[k]), ends[k]))
    alone, both = speed_up.measure((1, 2))
    assert (alone.seconds, alone.difference, alone.numbers) == (4.0, 0.0, 2)
    assert (both.machines, both.seconds, both.difference) == (2, 3.0, 0.5)
    assert both.talking == pytest.approx(0.2)  # of the faster step, the lower median
