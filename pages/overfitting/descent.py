"""Double descent: least squares on more and more features, through the points and beyond."""

import pyarrow as pa
import streamlit as st
import torch

from lm_core.experiments.overfitting.double_descent import (
    COUNTS,
    POINTS,
    Problem,
    draw_problem,
    fitted,
    truth,
)
from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.study import DECAYS, NOISES, DescentCurve
from pages.overfitting.errors_by_features import AT_N, FIT, STYLES, Chosen, draw_errors
from pages.overfitting.scene import HEIGHT
from pages.shared import page
from pages.shared.numbers import significant

_REACH = 2.5
_PLACES = torch.linspace(-1.0, 1.0, 161, dtype=torch.float64)
_ANSWERS = {"It rises on": 10.0, "It stays there": 1.0, "It falls again": 0.05}
"""By how much each multiplies the peak, where it is drawn."""
_ALIKE = 1.5


def _choose_problem(screen: page.FirstScreen) -> Chosen:
    """Draw the choice of noise and weight decay, and return them with the seed."""
    with screen.controls:
        noise = page.pick("noise", "Noise σ", NOISES, 0.3, width=130)
        weight_decay = page.pick("ridge", "Weight decay λ", DECAYS, DECAYS[0], width=150)
        with st.popover("More", icon=":material/tune:"):
            seed = page.number("draw", "Seed of points and features", 0, 999, 1)
    return Chosen(float(noise), float(weight_decay), int(seed))


@st.cache_resource(max_entries=64, show_spinner=False)
def _problem(noise: float, seed: int) -> Problem:
    return draw_problem(seed, noise)


def double_descent(screen: page.FirstScreen) -> None:
    """Draw the fit with so many features, and the errors of all."""
    chosen = _choose_problem(screen)
    results = page.shipped(OverfittingResults)
    curve = results.descent(chosen.noise, chosen.weight_decay)
    asked = _ask(screen, chosen, curve)
    is_masked = asked.masks
    with screen.picture:
        st.markdown(f"**{_finding(curve, is_masked=is_masked)}**")
        page.playback_bar(
            "features",
            len(COUNTS),
            lambda i: _draw(chosen, curve, i, asked),
            label="Fits, from 2 features to 1,000",
            start=AT_N,
        )
    page.note_beside(
        screen,
        f"A sum of D cosines of random frequencies is fitted to {POINTS} points by least squares. With D <"
        f" {POINTS} it cannot pass through all points, because there are more of them than weights."
        f" {_from_n_on(chosen)}",
    )
    if not page.is_presenting():
        _caption(results, chosen)


def _from_n_on(chosen: Chosen) -> str:
    """Say which fits there are with at least as many features as points, and what to try."""
    if chosen.weight_decay:
        return (
            f"From D = {POINTS} on it could, but the penalty λ prefers shorter weights to meeting every point, so"
            " the fit mostly stays smooth. **Then set λ to 0.**"
        )
    one, many = (
        f"With D = {POINTS} exactly one fit does",
        "Beyond there are many, and the one with the *shortest weights* is taken",
    )
    if not chosen.noise:
        return f"{one}, and without noise it need not bend wildly. {many}. **Then add noise.**"
    return (
        f"{one}, and it mostly has to bend wildly to meet the noise. {many}, so it gets smoother again."
        " **Then raise λ.**"
    )


def _ask(screen: page.FirstScreen, chosen: Chosen, curve: DescentCurve) -> page.Asked:
    """Ask for the second descent; None where the peak is not there."""
    if chosen.weight_decay or not chosen.noise:
        return page.Asked()
    peak, last = curve.new[AT_N], curve.new[-1]
    held = list(_ANSWERS)[0 if last > _ALIKE * peak else 2 if last < peak / _ALIKE else 1]
    lowest = min(range(AT_N), key=lambda i: curve.new[i])
    below = "below" if last < curve.new[lowest] else "not below"
    return page.ask(
        screen,
        "descent",
        f"The error on new points peaks at {POINTS} features, as many as points. What does it do beyond?",
        _ANSWERS,
        right=held,
        reason=f"From {significant(peak, 3)} it goes to **{significant(last, 3)}** with {COUNTS[-1]:,}"
        " features, because among many exact fits the one with the shortest weights is"
        f" smoother. This is the *second descent*, here {below} the first one's"
        f" {significant(curve.new[lowest], 3)} with {COUNTS[lowest]}.",
    )


def _finding(curve: DescentCurve, *, is_masked: bool) -> str:
    lowest = min(range(AT_N), key=lambda i: curve.new[i])
    said = (
        f"Error on new points: {significant(curve.new[lowest], 3)} with {COUNTS[lowest]} features,"
        f" {significant(curve.new[AT_N], 3)} with {POINTS}"
    )
    return said if is_masked else f"{said}, {significant(curve.new[-1], 3)} with {COUNTS[-1]:,}"


def _draw(chosen: Chosen, curve: DescentCurve, i: int, asked: page.Asked) -> None:
    problem = _problem(chosen.noise, chosen.seed)
    left, right = st.columns([1, 1.15], gap="small")
    with left:
        _fit(problem, chosen, COUNTS[i])
    with right:
        draw_errors(problem, chosen, curve, i, asked)


def _fit(problem: Problem, chosen: Chosen, count: int) -> None:
    with page.model_calls:
        said = fitted(problem, count, _PLACES, chosen.weight_decay).tolist()
    places = _PLACES.tolist()
    page.show_chart(
        page.line_chart(
            {FIT: list(zip(places, said, strict=True))},
            STYLES,
            page.Axis(f"x, fitted with {count:,} features", (-1.0, 1.0)),
            page.Axis("y", (-_REACH, _REACH)),
            references={"truth": list(zip(places, truth(_PLACES).tolist(), strict=True))},
            dots={"point": list(zip(problem.x.tolist(), problem.y.tolist(), strict=True))},
            has_names=False,
            height=HEIGHT,
        ),
        pa.table({"x": places, "fit": said}),
        key="descent_fit",
        alt=f"The fit with {count} features, between {min(said):.2f} and {max(said):.2f}.",
        name="fit",
        is_small=True,
    )


def _caption(results: OverfittingResults, chosen: Chosen) -> None:
    made = results.provenance
    st.caption(
        f"The lines are medians of {made['draws']} draws of noise and features, because a single draw may be"
        f" lucky, with quartiles shaded; the ring is the draw on the left, seed {chosen.seed}. Errors on new points are exact expectations:"
        f" the distance from the truth, squared, and σ² = {chosen.noise**2:g}. Such *random features* are"
        " the hidden layer of a network whose first weights are drawn at random and stay as they are."
    )
