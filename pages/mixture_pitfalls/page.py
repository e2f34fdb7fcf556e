"""What can go wrong with a mixture? Collapse, the limit of hard assignments, and curves too narrow."""

from lm_core.clustering.covariances import Constraint, constrained
from lm_core.clustering.gaussian_mixture import weighted_densities
from lm_core.clustering.initialisation import mixture_on_a_point
from lm_core.clustering.side_by_side import hard_assignment_limit
from pages.mixture_pitfalls.collapse import draw_collapse
from pages.mixture_pitfalls.hard_assignment_limit import draw_hard_assignment_limit
from pages.mixture_pitfalls.one_dimension import draw_one_dimension
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Sources, page_header, show_source, try_this

PARTS = ("Collapse", "Hard-assignment limit", "One dimension")

page_header(
    "mixture-pitfalls",
    "A mixture can go wrong in three ways. In each it matters how wide a normal distribution is.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == PARTS[1]:
    draw_hard_assignment_limit(screen)
    code: Sources = (hard_assignment_limit, Constraint)
    suggestions = [
        "Lower σ step by step. At which value does the first component get points of its own?",
        "*no structure* with K = 6: is there a σ at which EM still finds only one group?",
        "Compare the ellipses at σ = 0.3 with those that EM fits to the same points on the page"
        " *Clustering*.",
    ]
elif part == PARTS[2]:
    draw_one_dimension(screen)
    code = (weighted_densities,)
    suggestions = [
        "Show the fitted curves with 50 points, then with 2,000. How far are they from the true ones?",
        "Set the histogram to 10 bins. Can you still see which curves are too narrow?",
        "For which variance would the published picture be correct?",
    ]
else:
    draw_collapse(screen)
    code = (mixture_on_a_point, constrained)
    suggestions = [
        "Find a point and a deviation from which component 2 finds a group instead of collapsing.",
        "Try the floors 1e-2 and 1e-1. With which does component 2 still show the true group?",
        "scikit-learn adds 1e-6 to every variance by default, in whatever unit the points are. What does that do to"
        " heights of people in kilometres?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
