"""What the answers for teachers say of mixtures, held to the page's own fits."""

import pytest

from lm_core.clustering import em
from lm_core.clustering.covariances import Constraint
from lm_core.clustering.initialisation import initial_centres, mixture_on_a_point
from lm_core.clustering.side_by_side import hard_assignment_limit
from pages.mixture_pitfalls.collapse_by_floor import FLOORS
from pages.mixture_pitfalls.hard_assignment_limit import _SIGMAS
from pages.mixture_pitfalls.one_dimension import _line
from pages.shared.clustering.data import load
from tests.pages.answering import assert_says

PAGE = "mixture-pitfalls"
NOT_COMPUTED = {
    "scikit-learn adds": "a calculation with powers of ten; tests of units hold what a floor does",
    "Compare the circles": "σ of the suggestion; the page draws circles by construction",
    "Set the histogram": "bins of the suggestion, and what an eye can tell",
    "For which variance": "the square root of 1",
    "Draw 500 points": "draws are of the fitted mixture alone; a test holds that they follow its weights",
}
BLOBS = load("two blobs", 60, 1)


def ends(point, deviation, floor=0.0):
    """Return the last state of EM whose second component begins on a point, from 1."""
    start = mixture_on_a_point(BLOBS.points, point - 1, deviation)
    return list(em.steps(BLOBS.points, start, Constraint(floor=floor), tolerance=1e-6))[-1]


def counted(state):
    return float(state.statistics.counts[1])


def test_a_wide_component_finds_a_group():
    wide, narrow = ends(40, 0.3), ends(40, 0.2)
    assert not wide.collapses
    assert_says(PAGE, "Find a point", f"{counted(wide):.0f} points", "nine points")
    assert counted(narrow) == pytest.approx(9, abs=0.5)


def test_the_larger_floor_finds_the_group():
    found, stuck = (ends(5, 0.4, FLOORS[name]) for name in ("1e-1", "1e-2"))
    assert_says(PAGE, "Try the floors", f"{counted(found):.0f} of the {len(BLOBS.points)} points")
    assert counted(stuck) == pytest.approx(1, abs=0.1)


def sizes(name, clusters):
    """Return how many points each component has, by the components' width."""
    points = load(name, 200, 1).points
    centres = initial_centres(points, clusters, "k-means++", 1)
    return {
        found.deviation: found.soft.responsibilities.argmax(1).bincount(minlength=clusters)
        for found in hard_assignment_limit(points, centres, _SIGMAS)
    }


def test_at_which_width_components_part():
    with_points = [width for width, n in sizes("unequal sizes", 3).items() if n[0]]
    assert_says(PAGE, "Lower σ", f"σ = {max(with_points):g}")


def test_no_structure_is_one_group_for_wide_components():
    n_found = {width: int((n > 0).sum()) for width, n in sizes("no structure", 6).items()}
    one = min(s for s, n in n_found.items() if n == 1)
    six = max(s for s, n in n_found.items() if n == 6)
    assert all(n == 1 for s, n in n_found.items() if s >= one)
    assert_says(PAGE, "*no structure*", f"σ = {one:g}", f"σ = {six:g}")


def errors_of_means(n, seed):
    line = _line.__wrapped__(n, seed)
    fitted, true = (
        mixture.means.flatten().sort().values for mixture in (line.fitted, line.mixture)
    )
    return (true - fitted).abs()


def test_forty_times_the_points_find_means_six_times_better():
    few, many = ([errors_of_means(n, seed) for seed in range(1, 51)] for n in (50, 2_000))
    assert_says(
        PAGE, "Show the fitted", *(f"{error:.1f}" for error in few[0]), "about six times smaller"
    )
    assert float(sum(few).sum() / sum(many).sum()) == pytest.approx(6.3, rel=0.25)
