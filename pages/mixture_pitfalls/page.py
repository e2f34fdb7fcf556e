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
    "Three pitfalls of a mixture of normal distributions arise because of how wide the"
    " distributions are: here one of them shrinks to nothing, all are equally narrow, or a"
    " program draws them too narrow.",
)

# Controls, picture, explanation ---------------------------------------------------------------
screen = first_screen()
with screen.controls:
    part = choose_part(PARTS)
if part == PARTS[1]:
    draw_hard_assignment_limit(screen)
    code: Sources = (hard_assignment_limit, Constraint)
elif part == PARTS[2]:
    draw_one_dimension(screen)
    code = (weighted_densities,)
else:
    draw_collapse(screen)
    code = (mixture_on_a_point, constrained)

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(part)
