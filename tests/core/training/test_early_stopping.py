"""The patience rule: what it keeps, when it stops, and what it must not look at."""

import math

import pytest

from lm_core.errors import SettingError
from lm_core.training.early_stopping import stop_early

LOSSES = [0.9, 0.5, 0.6, 0.4, 0.45, 0.41, 0.7, 0.1]


@pytest.mark.parametrize(
    ("patience", "best", "stopped"), [(1, 1, 2), (2, 3, 5), (3, 3, 6), (4, 7, None)]
)
def test_it_stops_once_patience_has_run_out_and_keeps_the_lowest_before(patience, best, stopped):
    assert stop_early(LOSSES, patience) == (best, stopped)


def test_what_comes_after_the_stop_changes_nothing():
    assert stop_early([*LOSSES[:6], -1.0, -2.0], 2) == stop_early(LOSSES, 2)


def test_a_loss_that_only_comes_level_is_no_improvement():
    assert stop_early([0.5, 0.5, 0.5], 2) == (0, 2)


def test_a_loss_that_is_no_number_is_no_improvement_and_no_obstacle():
    assert stop_early([math.nan, 0.5, math.nan, 0.4], 2) == (3, None)


@pytest.mark.parametrize(
    ("losses", "patience", "named"), [([], 1, "losses"), ([1.0], 0, "patience")]
)
def test_nothing_to_look_at_is_refused(losses, patience, named):
    with pytest.raises(SettingError, match=named):
        stop_early(losses, patience)
