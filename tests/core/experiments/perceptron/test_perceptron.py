"""Points of two classes, networks that learn them, and how often they fail."""

import pytest
import torch

from lm_core.errors import ResultError, SettingError, TextError
from lm_core.experiments.perceptron import study, tasks
from lm_core.experiments.perceptron.training import (
    NetworkSettings,
    hidden_units,
    network_of,
    snapshot_steps,
    surfaces,
    train,
)
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.feed_forward import forward
from lm_core.models.perceptron import best_line


@pytest.mark.parametrize("name", tasks.TASKS)
def test_all_points_lie_in_the_picture(name):
    left, right, bottom, top = tasks.BOUNDS
    points = tasks.TASKS[name]
    assert points.n_classes == 2
    assert len(points.targets) <= tasks.MOST_POINTS
    assert ((points.inputs >= left) & (points.inputs <= right)).all()
    assert (bottom, top) == (left, right)


@pytest.mark.parametrize("name", tasks.TASKS)
def test_no_two_points_lie_in_one_place(name):
    inputs = tasks.TASKS[name].inputs
    apart = torch.cdist(inputs, inputs) + torch.eye(len(inputs))
    assert float(apart.min()) > 0.05


def test_the_arms_of_the_spirals_are_each_other_turned_by_half_a_turn():
    inputs, targets = tasks.TASKS[tasks.SPIRALS]
    torch.testing.assert_close(inputs[targets == 1], 1.0 - inputs[targets == 0])


@pytest.mark.parametrize("name", [tasks.XOR, tasks.RING, tasks.SPIRALS])
def test_no_line_divides_what_a_network_is_for(name):
    most, _ = best_line(*tasks.TASKS[name])
    assert most < len(tasks.TASKS[name].targets)


def test_points_are_read_as_they_are_written():
    for points in tasks.TASKS.values():
        again = tasks.read_points(tasks.written_points(points))
        torch.testing.assert_close(again.inputs, points.inputs, atol=0.005, rtol=0)
        assert again.targets.tolist() == points.targets.tolist()
    assert tasks.written_points(tasks.read_points("")) == ""
    assert tasks.written_points(tasks.read_points("0.1249 -0.001 1")) == "0.12 0 1"
    assert tasks.read_points("\n \n").inputs.shape == (0, 2)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("0.1 0.2", "line 1"),
        ("0.1 0.2 1\n0.1 x 0", "line 2"),
        ("0.1 0.2 2", "class"),
        ("0.1 0.2 nan", "class"),
        ("9e99 0 1", "between"),
        ("nan 0 1", "between"),
        ("0 0 1\n" * (tasks.MOST_POINTS + 1), str(tasks.MOST_POINTS)),
    ],
)
def test_points_that_cannot_be_read_are_refused(text, said):
    with pytest.raises(TextError, match=said):
        tasks.read_points(text)


def test_a_training_is_recorded_from_its_start_to_its_end_and_learns():
    settings = NetworkSettings((4,), seed=2, networks=3, steps=1_500)
    training = train(tasks.TASKS[tasks.XOR], settings)
    assert training.steps == snapshot_steps(1_500)
    assert (training.steps[0], training.steps[-1]) == (0, 1_500)
    assert training.losses.shape == (len(training.steps), 3)
    assert (training.losses[-1] < 0.2 * training.losses[0]).all()
    trace = forward(training.layers[-1], tasks.TASKS[tasks.XOR].inputs, ACTIVATIONS["tanh"])
    right = ((trace.logits >= 0).long() == tasks.TASKS[tasks.XOR].targets).sum(-1)
    assert training.n_right[-1].tolist() == right.tolist() == [4, 4, 4]


def test_early_steps_are_recorded_closer_together():
    gaps = torch.tensor(snapshot_steps(2_000)).diff()
    assert int(gaps[0]) < int(gaps[-1])
    assert (gaps > 0).all()
    assert snapshot_steps(1) == (0, 1)


def test_surfaces_say_what_the_networks_say_with_the_top_row_first():
    training = train(tasks.TASKS[tasks.XOR], NetworkSettings((3,), networks=2, steps=50))
    found = surfaces(training.layers[-1], "tanh", (0.0, 1.0, 0.0, 1.0), 2)
    assert found.shape == (2, 2, 2)
    corners = torch.tensor([[0.0, 1.0], [1.0, 1.0], [0.0, 0.0], [1.0, 0.0]], dtype=torch.float64)
    logits = forward(training.layers[-1], corners, ACTIVATIONS["tanh"]).logits
    torch.testing.assert_close(found.flatten(1), logits.sigmoid())


def test_hidden_units_are_those_of_the_first_layer_of_the_network_asked_for():
    layers = train(tasks.TASKS[tasks.XOR], NetworkSettings((3,), networks=2, steps=50)).layers[-1]
    for network in (0, 1):
        units = hidden_units(layers, network)
        assert units == hidden_units(network_of(layers, network), 0)
        sums = forward(
            network_of(layers, network), tasks.TASKS[tasks.XOR].inputs, ACTIVATIONS["tanh"]
        ).sums[0]
        for i, unit in enumerate(units):
            torch.testing.assert_close(unit.sums(tasks.TASKS[tasks.XOR].inputs), sums[0, :, i])


@pytest.mark.parametrize(
    "settings",
    [{"hidden": ()}, {"hidden": (0,)}, {"hidden": (2,), "activation": "step"},
     {"hidden": (2,), "learning_rate": 0.0}, {"hidden": (2,), "steps": 0}],
)  # fmt: skip
def test_networks_that_cannot_be_are_refused(settings):
    with pytest.raises(SettingError):
        NetworkSettings(**settings)


def test_one_unit_never_learns_xor_and_many_do():
    assert study.count_failures("tanh", 1, 1, starts=8).share == 1.0
    assert study.count_failures("tanh", 8, 1, starts=8).share == 0.0


def test_what_is_shipped_covers_all_and_one_of_it_comes_out_again():
    results = study.PerceptronResults.load()
    assert len(results.failures) == len(ACTIVATIONS) * len(study.WIDTHS) * len(study.DEPTHS)
    assert {f.starts for f in results.failures} == {study.STARTS}
    shipped = results.of("tanh", 2, 1)
    assert study.count_failures("tanh", 2, 1).failed == pytest.approx(shipped.failed, abs=10)


def test_results_are_read_as_they_were_written(tmp_path):
    results = study.PerceptronResults({}, (study.count_failures("relu", 2, 1, starts=3),))
    results.save(tmp_path / "perceptron.json")
    assert study.PerceptronResults.load(tmp_path / "perceptron.json").failures == results.failures
    with pytest.raises(ResultError, match="missing"):
        study.PerceptronResults.load(tmp_path / "none.json")
