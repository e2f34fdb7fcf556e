"""Numbers out: a curve drawn from a vector, each value from a normal distribution of its own."""

from functools import partial

import streamlit as st

from lm_core.experiments.sequence_models import curves
from lm_core.rng import generator
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE
from pages.shared.numbers import significant, written

_MANY = 50  # curves that the deviation at each place is the mean of; as many as are asked about
_KNOWN = 2 * curves.NOISE
_FIRST, _SECOND = "a first curve", "a second one"
_STYLES = {
    _FIRST: page.LineStyle(BLUE),
    _SECOND: page.LineStyle(GREY, 1),
    "deviation": page.LineStyle(ORANGE),
}
_PLACES = {
    "21 or more": page.Answer(21, 30),
    "8 to 20": page.Answer(8, 12),
    "3 to 7": page.Answer(3, 5),
    "1 or 2": page.Answer(0, 2),
}
_HIGHEST = 3.0
_results = partial(page.shipped, curves.CurveResults)


def vector_to_curve(screen: page.FirstScreen) -> None:
    """Draw the vector's controls, two curves drawn from it, and how unsure the network was of each value."""
    with screen.controls:
        period = page.slider("period", "Period, in values", *curves.PERIODS, 12.0, 1.0, width=180)
        height = page.slider("height", "Height", *curves.HEIGHTS, 1.5, 0.1, width=180)
        with st.popover("More", icon=":material/tune:"):
            seed = page.number("curve_seed", "Seed", 0, 9_999, 2)
    drawn = _drawn(period, height, int(seed), _results().provenance["date"])
    deviations = drawn.deviations.mean(0).tolist()
    asked = _ask(screen, deviations)
    with screen.picture:
        st.markdown(
            f"**Two curves from one vector: both have a period of {period:g}, and each begins where it likes**"
        )
        _curves(drawn, asked)
        if not asked.masks:
            _deviations(deviations)
    page.note_beside(
        screen,
        "Nothing in the vector says where in its period a curve begins. So the first value is drawn from a wide"
        " normal distribution, and every later one must fit what was drawn before: the value before is"
        " an input, and only the hidden state knows the earlier ones. For letters the output is a softmax; for numbers it is the mean and the deviation of a"
        " normal distribution.",
    )
    _note()


@st.cache_data(max_entries=128, show_spinner=False)
def _drawn(period: float, height: float, seed: int, made: str) -> curves.CurveSteps:
    with page.model_calls:
        vector = curves.vector_of(period, height)
        return _results().network().draw(vector, _MANY, generator(seed))


def first_known(deviations: list[float]) -> int:
    """Return how many values are drawn before one whose deviation is at most twice the noise."""
    return next((i for i, one in enumerate(deviations) if one <= _KNOWN), len(deviations))


def _ask(screen: page.FirstScreen, deviations: list[float]) -> page.Asked:
    known = first_known(deviations)
    return page.ask(
        screen,
        "curve_known",
        f"Every value has noise with a deviation of {curves.NOISE:g}, which nobody can foresee. The network"
        f" expects the first value with a deviation of {significant(deviations[0], 2)}. How many values must it"
        f" have drawn before it expects the next with {_KNOWN:g} at most?",
        _PLACES,
        right=known,
        reason=f"**{known}**, on average over {_MANY} curves. One value leaves two possibilities, since the curve"
        " may be rising or falling there; the next ones say which, and more of them average the noise out.",
    )


def _curves(drawn: curves.CurveSteps, asked: page.Asked) -> None:
    places = range(1, curves.LENGTH + 1)
    first, second = drawn.values[:2].tolist()
    lines = {
        _FIRST: list(zip(places, first, strict=True)),
        _SECOND: list(zip(places, second, strict=True)),
    }
    spread = 2 * drawn.deviations[0]
    low, high = (drawn.means[0] - spread).tolist(), (drawn.means[0] + spread).tolist()
    bands = {} if asked.masks else {_FIRST: list(zip(places, low, high, strict=True))}
    page.show_lines(
        "drawn_curves",
        lines,
        {name: _STYLES[name] for name in lines},
        page.Axis("value", (1, curves.LENGTH)),
        page.Axis("y", (-_HIGHEST, _HIGHEST)),
        bands=bands,
        has_points=True,
        height=260,
    )


def _deviations(deviations: list[float]) -> None:
    places = range(1, curves.LENGTH + 1)
    st.markdown(
        f"**The deviation falls from {significant(deviations[0], 2)} to {significant(deviations[-1], 2)}:"
        f" the noise alone has {curves.NOISE:g}**"
    )
    page.show_lines(
        "curve_deviations",
        {"deviation": list(zip(places, deviations, strict=True))},
        {"deviation": _STYLES["deviation"]},
        page.Axis("value", (1, curves.LENGTH)),
        page.Axis("deviation", (0.02, 2.0), True, (0.02, 0.1, 0.5, 2.0)),
        references={"noise": [(1, curves.NOISE), (curves.LENGTH, curves.NOISE)]},
        has_names=False,
        height=150,
        is_small=True,
    )


def _note() -> None:
    found = _results()
    first, *_, last = found.loss_by_place
    st.markdown(
        f"The network has {found.parameters:,} parameters and has seen {found.steps * curves.BATCH:,} curves."
        " Its loss is minus the logarithm of the density, so it may be negative: on curves that it has not"
        f" seen {written(first, '.2f')} nats for the first value and {written(last, '.2f')} for the last"
        f" one. No prediction can be better than {written(curves.least_loss(), '.2f')}, which is what the noise alone costs."
    )
