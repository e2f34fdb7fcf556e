"""Started twice: whether a reservoir forgets where it began, and its eigenvalues in the complex plane."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.reservoir_computing import echo
from lm_core.experiments.reservoir_computing.study import DENSITY, UNITS
from lm_core.models.reservoir import SPARSE, ReservoirSettings, scaled_eigenvalues
from lm_core.rng import generator
from pages.reservoir_computing.echo_plane import Echo, draw_plane
from pages.reservoir_computing.reservoirs import Chosen, Offer, choose_reservoir
from pages.shared import page
from pages.shared.charts.palette import BLUE
from pages.shared.components.plane_panels import plane_panels
from pages.shared.counts import counted
from pages.shared.numbers import significant

_FIRST = Chosen(UNITS, SPARSE, DENSITY, 1, ReservoirSettings(1.3, 1.0, 1.0), 1e-8)
_OFFER = Offer("echo", _FIRST, ("input_scale",), has_readout=False)
_HEIGHT = 285
_FLOOR, _CEILING = 1e-16, 10.0
_SEEN_FIRST = 10  # steps that are drawn before the guess
_SAME, _APART, _GROW = (
    "They become the same",
    "They stay apart, at about 1",
    "They keep half their distance",
)
_ANSWERS = {_SAME: 1e-12, _APART: 1.0, _GROW: 0.3}
_DISTANCE = "distance"
_STYLES = {_DISTANCE: page.LineStyle(BLUE)}


def _choose_echo(screen: page.FirstScreen) -> Chosen:
    """Draw the controls of a reservoir, and return it."""
    return choose_reservoir(screen, _OFFER)


@st.cache_data(max_entries=128, show_spinner=False)
def _echo(chosen: Chosen) -> Echo:
    draws, reservoir = chosen.draws(), chosen.reservoir()
    with page.model_calls:
        return Echo(
            echo.start_twice(reservoir, generator(1_000 + chosen.seed)),
            scaled_eigenvalues(draws, chosen.settings),
            draws.radius,
            echo.largest_singular_value(reservoir),
        )


def echo_state(screen: page.FirstScreen) -> None:
    """Draw the eigenvalues of a step, and the distance of two runs over the same inputs."""
    chosen = _choose_echo(screen)
    found = _echo(chosen)
    asked = _ask(screen, chosen, found)
    with screen.picture:
        st.markdown(f"**{_finding(chosen, found, asked)}**")
        page.playback_bar(
            "echo_step",
            echo.STEPS + 1,
            lambda step: _draw(chosen, found, step, asked),
            label="Steps read",
        )
    page.note_beside(
        screen,
        "*Echo state property*: started from two states, a reservoir that reads the same inputs"
        " forgets the difference, so in the end its state depends on the inputs alone. **Set the"
        " input scale to 0**: what kept the two together?",
    )


def _ask(screen: page.FirstScreen, chosen: Chosen, found: Echo) -> page.Asked:
    if chosen != _FIRST:
        return page.Asked()
    after = found.runs.forgotten_after
    said = f"Gone after **{after}** steps" if after else "It never goes"
    why = (
        " Inputs push the units to where tanh is flat, so there a step shrinks differences."
        if after
        else ""
    )
    return page.ask(
        screen,
        "echo",
        f"λ = {chosen.settings.spectral_radius:g}: around 0 a step enlarges differences. Two"
        " starts read the same inputs. What becomes of their distance?",
        _ANSWERS,
        right=_SAME if after is not None else (_APART, _GROW),
        reason=f"{said}.{why}",
    )


def _finding(chosen: Chosen, found: Echo, asked: page.Asked) -> str:
    begin = f"Spectral radius {significant(found.radius, 3)}"
    if chosen.settings.leak != 1.0:
        begin += f" with leaking rate {chosen.settings.leak:g}"
    if asked.masks:
        return f"{begin}: does it forget where it began?"
    after, last = found.runs.forgotten_after, float(found.runs.distances[-1])
    if after is not None:
        return f"{begin}: two starts are the same after {counted(after, 'step')}"
    if found.runs.rate < 0.985:
        return f"{begin}: two starts approach each other, to {significant(last, 1)} after {echo.STEPS} steps"
    return f"{begin}: after {echo.STEPS} steps two starts are still {significant(last, 2)} apart"


def _draw(chosen: Chosen, found: Echo, step: int, asked: page.Asked) -> None:
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        plane_panels(
            [draw_plane(chosen, found)],
            key="reservoir_eigenvalues",
            name="eigenvalues",
            columns=1,
            height=_HEIGHT,
        )
    with right:
        _distances(found, step, asked)


def _distances(found: Echo, step: int, asked: page.Asked) -> None:
    is_masked = asked.masks
    seen = min(step, _SEEN_FIRST) if is_masked else step
    distances = found.runs.distances[: seen + 1].tolist()
    guess = asked.at(lambda value: (0.85 * echo.STEPS, value))
    references = {} if is_masked else {"linear: a step times λ": _by_radius(found)}
    page.show_chart(
        page.line_chart(
            {_DISTANCE: [(float(t), max(d, _FLOOR)) for t, d in enumerate(distances)]},
            _STYLES,
            page.Axis("steps read", (0, echo.STEPS)),
            page.Axis(
                "distance of the two states",
                (_FLOOR, _CEILING),
                True,
                (1e-16, 1e-12, 1e-8, 1e-4, 1.0),
            ),
            references=references,
            guess=guess,
            now=step,
            has_names=False,
            height=_HEIGHT - 10,
        ),
        pa.table({"steps": list(range(seen + 1)), _DISTANCE: distances}),
        key="echo_distances",
        alt=f"After {counted(seen, 'step')} the two states are {significant(distances[-1], 2)} apart;"
        f" {significant(echo.IDENTICAL, 1)} counts as the same. Largest singular value"
        f" {significant(found.largest, 3)}.",
        name="distance-by-steps",
        is_small=True,
    )


def _by_radius(found: Echo) -> list[tuple[float, float]]:
    start = float(found.runs.distances[0])
    return [
        (float(t), min(max(start * found.radius**t, _FLOOR), _CEILING))
        for t in range(0, echo.STEPS + 1, 5)
    ]
