"""What can go wrong with a mixture? Collapse, the limit of hard assignments, and curves too narrow."""

from lm_core.clustering.covariances import Constraint, constrained
from lm_core.clustering.gaussian_mixture import sample, weighted_densities
from lm_core.clustering.initialisation import mixture_on_a_point
from lm_core.clustering.side_by_side import hard_assignment_limit
from pages.mixture_pitfalls.collapse import draw_collapse
from pages.mixture_pitfalls.hard_assignment_limit import draw_hard_assignment_limit
from pages.mixture_pitfalls.one_dimension import draw_one_dimension
from pages.shared import page

PARTS = [
    page.Part("Collapse", draw_collapse, (mixture_on_a_point, constrained)),
    page.Part(
        "Hard-assignment limit", draw_hard_assignment_limit, (hard_assignment_limit, Constraint)
    ),
    page.Part("One dimension", draw_one_dimension, (weighted_densities, sample)),
]

page.draw(
    "mixture-pitfalls",
    "Three pitfalls of a mixture of normal distributions arise because of how wide the"
    " distributions are: here one of them shrinks to nothing, all are equally narrow, or a"
    " program draws them too narrow.",
    PARTS,
)
