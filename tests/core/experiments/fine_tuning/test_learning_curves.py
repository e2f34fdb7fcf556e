"""Means, spreads, and how many labelled examples an accuracy takes."""

import math

import pytest

from lm_core.experiments.fine_tuning import learning_curves
from lm_core.experiments.fine_tuning.results import FineTuningResults, TaskRecord
from lm_core.experiments.fine_tuning.settings import FROZEN, TAG, TASKS, TUNED
from lm_core.experiments.fine_tuning.study import AuxiliaryPoint, Point

FOUND = FineTuningResults(
    {},
    dict.fromkeys(TASKS, TaskRecord((), 0, 1, {}, {})),
    (
        Point(TAG, TUNED, 100, 0, 0.5, 4.0, 1.0),
        Point(TAG, TUNED, 100, 1, 0.7, 5.0, 1.0),
        Point(TAG, TUNED, 10, 0, 0.2, 3.0, 1.0),
        Point(TAG, FROZEN, 10, 0, 0.1, 2.0, 1.0),
    ),
    (
        AuxiliaryPoint(1.0, 30, 0, 0.4, 4.5, 3.5),
        AuxiliaryPoint(0.0, 30, 0, 0.3, 4.6, 3.6),
        AuxiliaryPoint(0.0, 300, 0, 0.9, 4.6, 3.6),
    ),
    (),
    (),
)


def test_seeds_become_a_mean_and_its_ends_by_rising_number():
    assert learning_curves.measured_at({2.0: [1.0, 3.0], 1.0: [5.0]}) == [
        learning_curves.Measured(1.0, 5.0, 5.0, 5.0),
        learning_curves.Measured(2.0, 2.0, 1.0, 3.0),
    ]


def test_a_curve_has_the_points_of_its_task_and_method():
    curve = learning_curves.accuracy_curve(FOUND, TAG, TUNED)
    assert [point.at for point in curve] == [10, 100]
    assert curve[1][1:] == pytest.approx((0.6, 0.5, 0.7))
    assert learning_curves.masked_loss_curve(FOUND, TAG, TUNED)[1] == learning_curves.Measured(
        100, 4.5, 4.0, 5.0
    )
    assert learning_curves.value_at(curve, 10) == 0.2
    assert learning_curves.value_at(curve, 30) is None


def test_the_recipe_is_read_by_its_weight():
    curve = learning_curves.auxiliary_curve(FOUND, 30, lambda point: point.book_loss)
    assert [(point.at, point.mean) for point in curve] == [(0.0, 3.6), (1.0, 3.5)]


def test_labels_are_counted_on_a_logarithmic_axis():
    curve = [
        learning_curves.Measured(n, mean, mean, mean)
        for n, mean in ((10, 0.2), (100, 0.4), (1000, 0.8))
    ]
    assert learning_curves.labels_needed(curve, 0.2) == 10
    assert learning_curves.labels_needed(curve, 0.1) == 10
    assert learning_curves.labels_needed(curve, 0.3) == pytest.approx(10**1.5)
    assert learning_curves.labels_needed(curve, 0.6) == pytest.approx(10**2.5)
    assert math.isinf(learning_curves.labels_needed(curve, 0.81))
