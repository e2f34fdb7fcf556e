"""Both methods in step, planes to draw them in, a visitor's table, and starts by number."""

import itertools

import pytest
import torch

from lm_core.analysis.projection_planes import coordinate_plane, principal_plane
from lm_core.clustering import em, k_means
from lm_core.clustering import random_restarts as lottery
from lm_core.clustering import side_by_side as lockstep
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.datasets import DATA_SETS
from lm_core.clustering.gaussian_mixture import CovarianceKind, log_density
from lm_core.clustering.initialisation import STARTS
from lm_core.clustering.iris import iris
from lm_core.clustering.side_by_side import inertias, log_likelihoods, lower_bounds
from lm_core.errors import SettingError, TextError
from lm_core.experiments.clustering.tables import MOST_ROWS, read_table, standardised
from lm_core.rng import generator


def points_of(name="95 : 5", n=200, seed=0):
    return DATA_SETS[name](n, generator(seed)).points


def both(clusters=3, **settings):
    points = points_of()
    return lockstep.run(points, lottery.start(points, clusters, "k-means++", 0), **settings)


# Both methods ---------------------------------------------------------------------------------


def test_both_start_from_the_same_centres_and_halves_stand_beside_each_other():
    run = both()
    hard, soft = run.at(0)
    assert torch.equal(hard.centres, soft.mixture.means)
    halves = [(h.half, s.half) for h, s in map(run.at, range(4))]
    assert halves == 2 * [
        (k_means.Half.ASSIGN, em.Half.EXPECT),
        (k_means.Half.UPDATE, em.Half.MAXIMISE),
    ]


def test_the_method_that_is_over_keeps_its_last_step():
    run = both(max_iterations=100)
    assert len(run.hard) != len(run.soft), "the example must have one that ends first"
    assert len(run) == max(len(run.hard), len(run.soft))
    hard, soft = run.at(len(run) - 1)
    assert hard is run.hard[-1]
    assert soft is run.soft[-1]


@pytest.mark.parametrize("name", DATA_SETS)
@pytest.mark.parametrize("kind", CovarianceKind)
def test_no_trace_ever_goes_the_wrong_way(name, kind):
    points = points_of(name)
    run = lockstep.run(points, lottery.start(points, 4, "random points", 3), kind)
    for falling in (inertias(run.hard), [-v for v in log_likelihoods(run.soft)]):
        slack = 1e-9 * abs(falling[0])
        assert all(a >= b - slack for a, b in itertools.pairwise(falling))
    bounds = lower_bounds(run.soft)
    assert all(a <= b + 1e-6 for a, b in itertools.pairwise(bounds))


def test_a_log_likelihood_is_that_of_the_parameters_after_the_half_step():
    run = both()
    expected = [float(log_density(step.points, step.mixture).sum()) for step in run.soft]
    assert log_likelihoods(run.soft) == pytest.approx(expected)
    below = [b - v for b, v in zip(lower_bounds(run.soft), expected, strict=True)]
    assert below[0] == pytest.approx(0.0)
    assert below[1] < -0.01


def test_a_broken_component_ends_its_trace_at_infinity():
    points = torch.cat([points_of(n=30), torch.tensor([[50.0, 50.0]], dtype=torch.float64)])
    centres = torch.stack([points[0], points[-1]])
    run = lockstep.run(points, centres, constraint=Constraint(floor=0.0), tolerance=0.0)
    assert run.soft[-1].has_broken
    assert log_likelihoods(run.soft)[-1] == torch.inf


# Planes ---------------------------------------------------------------------------------------


def test_principal_axes_hold_the_most_variance_and_do_not_flip():
    points = iris().points
    plane = principal_plane(points)
    assert torch.allclose(plane.axes.T @ plane.axes, torch.eye(2, dtype=torch.float64))
    assert plane.shares == pytest.approx((0.9246, 0.0531), abs=1e-4)  # the textbook's shares
    for seed in range(8):  # the library's own signs are arbitrary
        drawn_at_random = torch.randn(20, 5, generator=generator(seed), dtype=torch.float64)
        axes = principal_plane(drawn_at_random).axes
        assert (axes.gather(0, axes.abs().argmax(0, keepdim=True)) > 0).all()
    drawn = plane.project(points)
    assert drawn.mean(0).abs().max() < 1e-9


def test_covariances_are_those_of_the_projected_points():
    points = iris().points
    plane = principal_plane(points)
    drawn = plane.project(points)
    assert torch.allclose(
        plane.project_covariances(torch.cov(points.T)[None])[0], torch.cov(drawn.T)
    )


def test_two_columns_are_drawn_as_they_are_and_a_step_is_lifted_back():
    points = iris().points
    plane = coordinate_plane(points, 3, 1)
    assert torch.equal(plane.project(points), points[:, [3, 1]])
    assert not plane.is_whole
    step = torch.tensor([0.5, -1.0], dtype=torch.float64)
    assert torch.equal(plane.lift(step), torch.tensor([0.0, -1.0, 0.0, 0.5], dtype=torch.float64))
    assert torch.allclose(plane.project(points + plane.lift(step)), plane.project(points) + step)
    with pytest.raises(SettingError, match="two different columns of 0 to 3, got 2 and 2"):
        coordinate_plane(points, 2, 2)
    with pytest.raises(SettingError, match="at least two dimensions"):
        principal_plane(points[:, :1])


# A visitor's table ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "x,y,kind\n1.5,2,a\n3,4,b\n",
        "x;y;kind\n1,5;2;a\n3;4;b\n",
        "x\ty\tkind\r\n1.5\t2\ta\r\n3\t4\tb",
        b"\xef\xbb\xbfx,y,kind\n1.5,2,a\n\n3,4,b\n",
    ],
)
def test_a_table_is_read_whatever_separates_it(text):
    table = read_table(text)
    assert table.names == ("x", "y")
    assert table.values.tolist() == [[1.5, 2.0], [3.0, 4.0]]
    assert table.groups == ("a", "b")
    assert table.group_name == "kind"
    assert table.notes == ()


def test_a_table_without_names_numbers_its_columns_and_repeated_names_are_told_apart():
    assert read_table("1,2\n3,4").names == ("column 1", "column 2")
    assert read_table("a,a,b\n1,2,3").names == ("a (1)", "a (2)", "b")


def test_what_is_left_out_is_said():
    table = read_table("x,y\n1,2\n3,\n4,5,6\n7,inf\n8,9\n10,11")
    assert table.values.tolist() == [[1.0, 2.0], [8.0, 9.0], [10.0, 11.0]]
    assert table.notes == (
        "1 row was left out: not 2 cells long, as the first line is.",
        "2 rows were left out: a number is missing there.",
    )
    long = read_table("\n".join(f"{i},{i}" for i in range(MOST_ROWS + 5)))
    assert len(long.values) == MOST_ROWS
    assert "Only the first 2,000 of 2,005 rows" in long.notes[0]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the text is empty"),
        ("🙂🙂🙂", "but no line of numbers under it"),
        ("x,y\n", "no line of numbers under it"),
        ("a,b\nc,d\n", "no column of this table holds numbers"),
        ("x,y\n1,\n,2\n", "every line of this table lacks a number"),
        (",".join(["1"] * 51), "at most 50 columns are read, this table has 51"),
        ("1," * 600_000, "may have at most 1 MB"),
        (b"PK\x03\x04rest", "not a plain text"),
        ('"' + "1" * 200_000, "no table of separated values"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(data, message):
    with pytest.raises(TextError, match=message):
        read_table(data)


def test_standardised_columns_have_mean_0_and_deviation_1_and_constant_ones_vanish():
    points = torch.cat([iris().points, torch.full((150, 1), 7.1, dtype=torch.float64)], 1)
    scaled = standardised(points)
    assert torch.allclose(scaled.mean(0), torch.zeros(5, dtype=torch.float64), atol=1e-12)
    assert torch.allclose(scaled[:, :4].std(0, correction=0), torch.ones(4, dtype=torch.float64))
    assert torch.equal(scaled[:, 4], torch.zeros(150, dtype=torch.float64))


# Starts by number -----------------------------------------------------------------------------


@pytest.mark.parametrize("rule", STARTS)
def test_a_start_is_found_again_by_its_number(rule):
    points = points_of()
    found = list(lottery.outcomes(points, 4, rule, 7, 3))
    assert [outcome.number for outcome in found] == [1, 2, 3]
    again = lockstep.run(points, lottery.start(points, 4, rule, 7, 3))
    assert found[2].inertia == again.hard[-1].inertia
    assert found[2].log_likelihood == again.soft[-1].log_likelihood


def test_starts_differ_by_number_and_by_seed():
    points = points_of()
    drawn = [lottery.start(points, 4, "random points", *of) for of in ((1, 1), (1, 2), (2, 1))]
    assert all(not torch.equal(drawn[0], other) for other in drawn[1:])
    with pytest.raises(SettingError, match="number must be from 1 to 999, got 0"):
        lottery.start(points, 4, "random points", 1, 0)
    with pytest.raises(SettingError, match="rule must be one of"):
        lottery.start(points, 4, "by hand", 1)
