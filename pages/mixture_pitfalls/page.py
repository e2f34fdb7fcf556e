"""What can go wrong with a mixture? Collapse, the way to k-means, and curves drawn too narrow."""

from lm_core.clustering import covariances
from lm_core.clustering.gaussian_mixture import weighted_densities
from lm_core.clustering.initialisation import mixture_on_a_point
from lm_core.clustering.side_by_side import hard_assignment_limit
from pages.mixture_pitfalls.collapsing import collapsing
from pages.mixture_pitfalls.on_a_line import on_a_line
from pages.mixture_pitfalls.vanishing import vanishing as sigma_to_zero
from pages.shared.ui.controls import choose_part
from pages.shared.ui.lesson import page_header, predict_then_reveal, show_source, try_this

PARTS = ("Collapse on purpose", "σ → 0", "On a line")

page_header(
    "mixture-pitfalls",
    "Normal distributions can be too narrow: on one point, everywhere at once, or only in a picture.",
)

# Controls, picture, explanation ---------------------------------------------------------------
part = choose_part(PARTS)
if part == PARTS[1]:
    sigma_to_zero()
    code = (hard_assignment_limit, covariances.Constraint)
    suggestions = [
        "Move σ down slowly: at which value does the first component get points of its own?",
        "*no structure* with K = 6: is there a σ at which EM still finds one group only?",
        "Compare the ellipses at σ = 0.3 with those that EM fits freely on the first page.",
    ]
elif part == PARTS[2]:
    on_a_line()
    code = (weighted_densities,)
    suggestions = [
        "Show the fitted curves with 50 points, then with 2,000: how far are they from the true ones?",
        "Take 10 bins: can you still see which curves are too narrow?",
        "For which variance would the source's picture have been right by chance?",
    ]
else:
    prediction = predict_then_reveal(
        "collapse",
        "A narrow component begins on one lonely point, and no floor holds it up. What will EM do?",
        ("Widen it until it finds a group", "Leave it as it is", "Shrink it to nothing"),
    )
    if prediction.revealed:
        collapsing()
    code = (mixture_on_a_point, covariances.constrained)
    suggestions = [
        "Find a point and a deviation from which component 2 finds a group instead of dying.",
        "Take the floors 1e-2 and 1e-1: which does still show the group that is there?",
        "scikit-learn adds 1e-6 to every variance by default. Where on the line would it end?",
    ]

# Code and suggestions -------------------------------------------------------------------------
show_source(*code)
try_this(suggestions)
