"""What the answers for teachers say of perceptrons, held to what the page computes."""

from collections import Counter
from functools import cache

import pytest
import torch

from lm_core.experiments.perceptron import tasks
from lm_core.experiments.perceptron.study import PerceptronResults
from lm_core.experiments.perceptron.training import NetworkSettings, hidden_units, train
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.perceptron import XOR_NETWORK, Perceptron, best_line, learn
from lm_core.rng import generator
from pages.perceptron import by_hand_diagram, network_choice, one_line, own_line, own_points
from pages.shared.numbers import significant
from tests.pages.answering import assert_says

PAGE = "perceptron"


@cache
def learned(task, hidden, seed=network_choice.FIRST_SEED, activation="tanh", networks=1):
    steps = network_choice._STEPS // len(hidden)
    settings = NetworkSettings(hidden, activation, seed=seed, networks=networks, steps=steps)
    return train(tasks.TASKS[task], settings)


def failed(activation, units, layers=1):
    return PerceptronResults.load().of(activation, units, layers).failed


# One line -------------------------------------------------------------------------------------


def test_each_point_of_and_moves_the_line():
    steps = learn(*tasks.TASKS[tasks.AND], one_line._PASSES)
    wrong = [i for i, step in enumerate(steps) if step.error]
    times = Counter(steps[i].shown for i in wrong)
    assert times[0] == times[2] == 2
    said = f"(1, 1) {times[3]} times", f"(0, 1) {times[1]} times", f"point {wrong[-1] + 1}"
    assert_says(PAGE, "Step through AND", *said)


def test_the_rule_leaves_a_line_that_is_as_good_as_the_best():
    points = tasks.read_points(own_points._START)
    n = len(points.targets)
    most, _ = best_line(*points)
    right = [step.n_right for step in learn(*points, own_line._PASSES)[::n]]
    first = right.index(most)
    assert_says(PAGE, "Choose *Your own*", f"pass {first} ({most} of {n})")
    assert right[first + 1] < most


def test_one_class_alone_gives_no_line_or_one_after_one_correction():
    rng = generator(1)
    places = [torch.rand(6, 2, generator=rng, dtype=torch.float64) * 2 - 0.5 for _ in range(50)]
    assert not any(
        step.error for points in places for step in learn(points, torch.ones(6).long(), 3)
    )
    ways = [learn(points, torch.zeros(6).long(), 3) for points in places]
    once = [way for way in ways if sum(map(abs, (step.error for step in way))) == 1]
    assert len(once) >= 48
    assert {way[-1].perceptron.bias for way in once} == {-1.0}
    assert_says(PAGE, "Paint points of one class", "bias −1")
    assert sum(way[-1].perceptron.border(tasks.BOUNDS) is None for way in ways) > 25


def test_three_points_on_a_line_cannot_be_divided_and_three_others_can():
    on_a_line = tasks.labelled([(0.0, 0.0), (0.5, 0.5), (1.0, 1.0)], [0, 1, 0])
    assert best_line(*on_a_line)[0] == 2
    corners = [(0.0, 0.0), (0.0, 1.0), (1.0, 0.0)]
    for classes in range(8):
        points = tasks.labelled(corners, [classes >> i & 1 for i in range(3)])
        assert best_line(*points)[0] == 3


# By hand --------------------------------------------------------------------------------------


def functions(network):
    trace = network.trace(tasks.TASKS[tasks.XOR].inputs)
    return [by_hand_diagram.function_of(trace, unit) for unit in range(3)]


def test_another_bias_and_turned_signs_give_other_functions():
    changed = XOR_NETWORK._replace(first=XOR_NETWORK.first._replace(bias=-0.5))
    first, second, _ = functions(XOR_NETWORK)
    assert functions(changed) == [second, second, "always 0"]
    assert_says(PAGE, "Change the bias of h1", f"{first} and is now {second}", "y is 0 for all")
    output = XOR_NETWORK.output
    turned = Perceptron(tuple(-weight for weight in output.weights), -output.bias)
    assert functions(XOR_NETWORK._replace(output=turned)) == ["AND", "OR", "NOT XOR"]
    places = XOR_NETWORK.trace(tasks.TASKS[tasks.XOR].inputs).outputs[:, :2].tolist()
    assert places == [[0, 0], [0, 1], [0, 1], [1, 1]]
    assert_says(PAGE, "Make the network compute", "(0, 1) and (1, 0) in one place")
    assert_says(PAGE, "Where do (0, 1) and", "h1 = 0 and h2 = 1")


# Trained --------------------------------------------------------------------------------------


def test_few_seeds_find_and_and_or():
    borders = {"AND": "AND", "NOT AND": "AND", "OR": "OR", "NOT OR": "OR"}
    kinds, losses = Counter(), {}
    for seed in range(1, 11):
        training = learned(tasks.XOR, (2,), seed)
        right = int(training.n_right[-1, 0])
        outputs = [
            unit.outputs(tasks.TASKS[tasks.XOR].inputs)
            for unit in hidden_units(training.layers[-1], 0)
        ]
        found = {
            borders.get(by_hand_diagram._FUNCTIONS[tuple(map(int, out.tolist()))])
            for out in outputs
        }
        kinds["fails" if right < 4 else "AND and OR" if found == {"AND", "OR"} else "other"] += 1
        losses.setdefault(right, []).append(float(training.losses[-1, 0]))
    assert kinds == {"AND and OR": 2, "other": 2, "fails": 6}
    assert sorted(losses) == [2, 4]
    assert max(losses[2]) - min(losses[2]) < 0.01
    said = f"{max(losses[4]):.3f}", f"{min(losses[2]):.2f}"
    assert_says(PAGE, "Change the seed. How often", "two find them", "six fail", *said)


def test_three_half_planes_close_a_border():
    found = [learned(tasks.RING, (units,)) for units in (1, 2, 3, 4)]
    *first, last = (int(training.n_right[-1, 0]) for training in found)
    said = f"{', '.join(map(str, first))} and {last} of the {len(tasks.TASKS[tasks.RING].targets)}"
    assert_says(PAGE, "Choose *Ring*", said)
    assert found[3].losses[-1, 0] < found[2].losses[-1, 0]


@pytest.mark.slow
def test_one_layer_learns_the_spirals_a_little_more_often():
    whole = len(tasks.TASKS[tasks.SPIRALS].targets)
    wide, deep = (
        int((learned(tasks.SPIRALS, hidden, 1, networks=40).n_right[-1] == whole).sum())
        for hidden in ((8,), (4, 4))
    )
    assert_says(PAGE, "Choose *Spirals*", f"{whole} points in {wide}", f"of 4 in {deep}")
    assert all(int(learned(tasks.SPIRALS, h).n_right[-1, 0]) == whole for h in ((8,), (4, 4)))


# Starts ---------------------------------------------------------------------------------------


def test_failures_by_units_and_layers():
    said = f"{failed('tanh', 4)} of 500", f"with two units {failed('tanh', 2)}"
    assert_says(PAGE, "Two units suffice", *said)
    tanh, sigmoid, three = (
        [failed(name, units, layers) for layers in (1, 2)]
        for name, units in (("tanh", 2), ("sigmoid", 2), ("sigmoid", 3))
    )
    said = f"from {tanh[0]} to {tanh[1]} of 500", f"{sigmoid[0]} and {sigmoid[1]}"
    assert_says(PAGE, "Do more layers", *said, f"from {three[0]} to {three[1]}")
    one = [failed(name, 1) for name in ("swish", "gelu", "sine")]
    assert_says(PAGE, "Swish, GELU and sine", f"{one[0]}, {one[1]} and {one[2]}")


def test_most_failed_starts_of_relu_have_a_dead_unit():
    training = learned(tasks.XOR, (2,), 1, "relu", networks=500)
    layer = training.layers[-1][0]
    is_dead = (tasks.TASKS[tasks.XOR].inputs @ layer.weights + layer.bias <= 0).all(1).any(-1)
    fails = training.n_right[-1] < 4
    assert int(fails.sum()) == failed("relu", 2) == max(failed(name, 2) for name in ACTIVATIONS)
    assert not (is_dead & ~fails).any()
    said = f"{int((fails & is_dead).sum())} of the {int(fails.sum())}"
    assert_says(PAGE, "ReLU fails most often", said)


# Activations ----------------------------------------------------------------------------------


def test_slopes_and_lowest_values():
    sides = {name: activation.saturates for name, activation in ACTIVATIONS.items()}
    assert {name for name, found in sides.items() if found == (True, True)} == {"sigmoid", "tanh"}
    neither = {name for name, found in sides.items() if found == (False, False)}
    assert neither == {"leaky-relu", "sine"}
    steepest = float(ACTIVATIONS["sigmoid"].derivative(torch.zeros(1))[0])
    assert_says(PAGE, "Ten sigmoid layers", f"(1/{1 / steepest:g})¹⁰", "about a millionth")
    assert significant(steepest**10 * 1e6, 1) == "1"
    places = torch.linspace(-6.0, 0.0, 6_001, dtype=torch.float64)
    said = []
    for name in ("swish", "gelu"):
        value, i = ACTIVATIONS[name].function(places).min(0)
        said += [
            f"{float(places[i]):.2f}".replace("-", "−"),
            f"{float(value):.2f}".replace("-", "−"),
        ]
    assert_says(PAGE, "Swish and GELU fall", *said)
