"""Batch norm's running averages as torch's, networks by batch size, and the results that are shipped."""

import pytest
import torch
from torch import nn

from lm_core.errors import SettingError
from lm_core.experiments.gradients import study
from lm_core.experiments.gradients.normalisation import (
    BATCH_NORM,
    LAYER_NORM,
    LAYERS,
    NONE,
    running_statistics,
    spirals,
    train_network,
    unit_values,
)
from lm_core.models.autodiff import jacobian
from lm_core.rng import generator


def test_running_averages_are_those_of_torchs_layer():
    values = unit_values()
    found = running_statistics(values, 4, 12, generator(3))
    layer = nn.BatchNorm1d(1).double()
    rows = values[torch.randint(len(values), (12, 4), generator=generator(3))]
    for batch in rows:
        layer(batch[:, None])
    torch.testing.assert_close(found.means[-1], layer.running_mean[0], rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(found.variances[-1], layer.running_var[0], rtol=1e-6, atol=1e-7)
    torch.testing.assert_close(found.batch_means, rows.mean(1))


def test_means_of_small_batches_scatter_more():
    spreads = [
        float(running_statistics(unit_values(), size, 400, generator(1)).batch_means.std())
        for size in (4, 64)
    ]
    assert spreads[0] == pytest.approx(4 * spreads[1], rel=0.25)


def test_spirals_are_two_classes_wound_into_each_other():
    inputs, targets = spirals(40, generator(1))
    assert inputs.shape == (40, 2)
    assert targets.tolist() == [0, 1] * 20
    assert torch.equal(spirals(40, generator(1)).inputs, inputs)


def test_a_network_learns_and_only_batch_norm_depends_on_the_batch():
    for layers in LAYERS:
        found = train_network(layers, 64, 1, passes=12)
        assert found.evaluated < 0.45
        assert (found.evaluated == found.in_batches) is (layers != BATCH_NORM)
        assert train_network(layers, 64, 1, passes=1) == train_network(layers, 64, 1, passes=1)


def test_a_batch_of_one_and_unknown_layers_are_refused():
    for refused in (
        lambda: train_network(BATCH_NORM, 1, 1),
        lambda: running_statistics(unit_values(), 1, 3, generator(1)),
    ):
        with pytest.raises(SettingError, match="no variance"):
            refused()
    with pytest.raises(SettingError, match="layers"):
        train_network("group norm", 4, 1)


def test_the_cost_is_that_of_as_many_sweeps_as_it_takes():
    graph, inputs, outputs = study.one_layer(3, 2)
    rows = jacobian(graph, inputs, outputs, is_reverse=True)
    columns = jacobian(graph, inputs, outputs, is_reverse=False)
    assert rows[0] == pytest.approx(columns[0])
    assert rows[1] == pytest.approx(columns[1])
    found = study.measure_cost(3, 2, repeats=1)
    assert (found.inputs, found.outputs) == (3, 2)
    assert found.edges == 6 + 8 + 2


def test_shipped_results_say_that_small_batches_fail():
    results = study.GradientResults.load()

    def wrong(layers, size):
        runs = results.of(layers, size)
        return sum(run.evaluated for run in runs) / len(runs)

    assert wrong(BATCH_NORM, 2) > wrong(BATCH_NORM, 8) > wrong(BATCH_NORM, 64)
    assert wrong(BATCH_NORM, 4) > 10 * max(wrong(NONE, 4), wrong(LAYER_NORM, 4))
    assert [cost.inputs * cost.outputs for cost in results.costs] == [study.EDGES] * len(
        study.INPUTS
    )
    first, last = results.costs[0], results.costs[-1]
    assert first.forward < first.reverse
    assert last.reverse < last.forward
