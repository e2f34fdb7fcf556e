"""The perceptron: its rule by hand, what it ends at, what no line does, and XOR by three units."""

import itertools

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.models import perceptron
from lm_core.rng import generator

CORNERS = torch.tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], dtype=torch.float64)
AND, OR, XOR = (torch.tensor(row) for row in ([0, 0, 0, 1], [0, 1, 1, 1], [0, 1, 1, 0]))
BOX = (-0.5, 1.5, -0.5, 1.5)


def test_the_rule_by_hand_on_the_first_five_points_of_and():
    steps = perceptron.learn(CORNERS, AND, 2)
    found = [(step.perceptron.weights, step.perceptron.bias, step.error) for step in steps[:6]]
    assert found == [
        ((0, 0), 0, 0),
        ((0, 0), -1, -1),  # (0, 0): 0 >= 0 gave 1
        ((0, 0), -1, 0),
        ((0, 0), -1, 0),
        ((1, 1), 0, 1),  # (1, 1): -1 gave 0
        ((1, 1), -1, -1),
    ]


@pytest.mark.parametrize("targets", list(itertools.product([0, 1], repeat=4)))
def test_the_rule_ends_where_a_line_exists_and_repeats_itself_where_none_does(targets):
    targets = torch.tensor(targets)
    most, line = perceptron.best_line(CORNERS, targets)
    assert line.n_right(CORNERS, targets) == most
    steps = perceptron.learn(CORNERS, targets, 20)
    is_xor = targets.tolist() in ([0, 1, 1, 0], [1, 0, 0, 1])
    assert most == (3 if is_xor else 4)
    assert (steps[-1].n_right == 4) is not is_xor
    assert (perceptron.first_repetition(steps, 4) is not None) is is_xor


def test_what_repeats_is_the_same_two_passes_and_one_not_the_start():
    steps = perceptron.learn(CORNERS, XOR, 12)
    first, second = perceptron.first_repetition(steps, 4)
    assert steps[4 * first].perceptron == steps[4 * second].perceptron
    period = 4 * (second - first)
    assert all(
        steps[i].perceptron == steps[i + period].perceptron
        for i in range(4 * first, len(steps) - period)
    )


def test_the_number_right_is_counted_after_each_point():
    for step in perceptron.learn(CORNERS, OR, 4):
        right = (step.perceptron.sums(CORNERS) >= 0).long() == OR
        assert step.n_right == int(right.sum())


def exhaustive(points, targets):
    """Return the most right over many random lines."""
    rng = generator(0)
    turns = torch.rand(4000, generator=rng, dtype=torch.float64) * 2 * torch.pi
    normals = torch.stack([turns.cos(), turns.sin()])
    offsets = 4 * torch.rand(200, generator=rng, dtype=torch.float64) - 2
    above = (points @ normals)[..., None] >= offsets  # (N, 4000, 200)
    return int((above == targets.bool()[:, None, None]).sum(0).max())


@pytest.mark.parametrize("seed", range(6))
def test_no_random_line_is_better_than_the_best_one(seed):
    rng = generator(seed)
    points = torch.rand((9, 2), generator=rng, dtype=torch.float64)
    targets = torch.randint(0, 2, (9,), generator=rng)
    most, line = perceptron.best_line(points, targets)
    assert line.n_right(points, targets) == most == exhaustive(points, targets)


@pytest.mark.parametrize(
    ("points", "targets", "most"),
    [
        ([[0.5, 0.5]], [0], 1),
        ([[0.5, 0.5], [0.5, 0.5]], [0, 1], 1),  # the same place in both classes
        ([[0, 0], [1, 1], [2, 2]], [0, 1, 0], 2),  # on one line
        ([[0, 0], [0, 0], [1, 1]], [1, 1, 1], 3),  # one class
    ],
)
def test_awkward_points(points, targets, most):
    points = torch.tensor(points, dtype=torch.float64)
    found, line = perceptron.best_line(points, torch.tensor(targets))
    assert (found, line.n_right(points, torch.tensor(targets))) == (most, most)


def test_xor_by_hand_is_and_or_and_not_h1_and_h2():
    outputs = perceptron.XOR_NETWORK.trace(CORNERS).outputs
    assert outputs[:, 0].tolist() == AND.tolist()
    assert outputs[:, 1].tolist() == OR.tolist()
    assert outputs[:, 2].tolist() == XOR.tolist()
    not_h1_and_h2 = [(1 - h1) * h2 for h1, h2, _ in outputs.tolist()]
    assert outputs[:, 2].tolist() == not_h1_and_h2
    assert perceptron.XOR_NETWORK.trace(CORNERS).sums[3].tolist() == [0.5, 1.5, -0.5]


@pytest.mark.parametrize(
    ("weights", "bias", "ends"),
    [
        ((1.0, 1.0), -1.5, ((0.0, 1.5), (1.5, 0.0))),
        ((2.0, 0.0), -1.0, ((0.5, -0.5), (0.5, 1.5))),
        ((0.0, 1.0), 0.0, ((-0.5, 0.0), (1.5, 0.0))),
        ((1.0, -1.0), 0.0, ((-0.5, -0.5), (1.5, 1.5))),
        ((1.0, 1.0), 9.0, None),
        ((0.0, 0.0), 0.0, None),
    ],
)
def test_the_border_is_clipped_to_the_picture(weights, bias, ends):
    assert perceptron.Perceptron(weights, bias).border(BOX) == ends


def test_the_grid_begins_at_the_top_left():
    places = perceptron.grid((0.0, 2.0, -1.0, 1.0), 3)
    assert places.shape == (3, 3, 2)
    assert places[0, 0].tolist() == [0, 1]
    assert places[0, 2].tolist() == [2, 1]
    assert places[2, 0].tolist() == [0, -1]


def test_what_cannot_be_learned_is_refused():
    with pytest.raises(SettingError, match="passes"):
        perceptron.learn(CORNERS, AND, 0)
    with pytest.raises(ShapeError, match="inputs"):
        perceptron.learn(CORNERS, AND[:3], 1)
