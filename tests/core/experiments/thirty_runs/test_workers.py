"""Workers that train one network: right gradients are one machine's, and wrong ones do what they do."""

import pytest
import torch

from lm_core.experiments.neural_language_model.training import Examples
from lm_core.experiments.thirty_runs.workers import (
    EXAMPLES,
    FACTORS,
    NOTHING,
    RIGHT,
    STALE,
    STEPS,
    TIMES_100,
    TURNED,
    descend,
)
from lm_core.rng import generator

V = 7


@pytest.fixture(scope="module")
def examples():
    contexts = torch.randint(0, V, (EXAMPLES, 2), generator=generator(1))
    return Examples(contexts, contexts.sum(1) % V)


def losses(examples, *row, is_median=False):
    return descend(examples, V, [row] * STEPS, len(row), is_median=is_median).losses


def test_right_gradients_take_the_steps_of_one_machine(examples):
    alone, *shared = (losses(examples, *[RIGHT] * n) for n in (1, 3, 10))
    assert alone[-1] < alone[0] - 0.1
    for found in shared:
        assert found == pytest.approx(alone)


def test_who_sends_nothing_is_not_counted(examples):
    same = Examples(
        *(part[: EXAMPLES // 2].repeat(2, *[1] * (part.dim() - 1)) for part in examples)
    )
    assert losses(same, RIGHT, NOTHING) == pytest.approx(losses(same, RIGHT, RIGHT))
    still = losses(examples, NOTHING, NOTHING)
    assert still == [still[0]] * (STEPS + 1)
    assert losses(examples, NOTHING, NOTHING, is_median=True) == still


def test_a_turned_gradient_leads_uphill(examples):
    assert losses(examples, TURNED)[-1] > losses(examples, TURNED)[0]


def test_the_median_follows_most_and_not_one_that_is_far_off(examples):
    right = losses(examples, *[RIGHT] * 5)[-1]
    row = (TIMES_100, *[RIGHT] * 4)
    assert losses(examples, *row)[-1] > 2 * right
    assert losses(examples, *row, is_median=True)[-1] == pytest.approx(right, rel=0.1)
    of_two = (RIGHT, TIMES_100)  # whose median is their mean
    assert losses(examples, *of_two, is_median=True) == pytest.approx(losses(examples, *of_two))


def test_an_old_gradient_is_of_the_weights_five_steps_before(examples):
    new, old = (losses(examples, *[what] * 2) for what in (RIGHT, STALE))
    assert old[:2] == new[:2]
    # As long as there were fewer than five steps, it is of the first weights.
    found = descend(examples, V, [[STALE] * 2] * STEPS, 2).lengths
    assert found[1:6] == [pytest.approx(found[0])] * 5
    assert found[6] != pytest.approx(found[0])


def test_lengths_are_of_what_was_sent(examples):
    row = tuple(FACTORS)
    (found,) = descend(examples, V, [row], len(row)).lengths
    (right,) = descend(examples, V, [[RIGHT] * len(row)], len(row)).lengths
    expected = [abs(FACTORS[what]) * each for what, each in zip(row, right, strict=True)]
    assert found == pytest.approx(expected)
