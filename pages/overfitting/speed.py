"""How fast 1, 2 and 4 processes take the same steps: measured, beside the ideal."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.overfitting.results import OverfittingResults
from lm_core.experiments.overfitting.speed_up import Speed
from pages.overfitting.scene import HEIGHT
from pages.shared import page
from pages.shared.charts.palette import BLUE, VERMILLION
from pages.shared.numbers import significant

_STEP, _TALKING = "step", "all-reduce"
_STYLES = {_STEP: page.LineStyle(VERMILLION, 1), _TALKING: page.LineStyle(BLUE)}
_UPS = {"It is slower": 0.7, "Between 1 and 2 times": 1.5, "Nearly 4 times": 3.7}


def speed(screen: page.FirstScreen) -> None:
    """Draw the measured speed-up beside the ideal, and what a step's time is spent on."""
    results = page.shipped(OverfittingResults)
    speeds = results.speeds
    alone = speeds[0].seconds
    ups = {s.machines: alone / s.seconds for s in speeds}
    asked = page.ask(
        screen,
        "speed",
        "Four processes on a machine with two cores: how much faster than one?",
        _UPS,
        right=ups[4],
        reason=f"**{ups[4]:.2f} times**, and two processes {ups[2]:.2f} times, because two"
        " cores compute no faster for four processes, which only take turns. Of a step of"
        f" {1e3 * speeds[-1].seconds:.0f} ms, {1e3 * speeds[-1].talking:.0f} go into the"
        " all-reduce, which includes waiting for the slowest process.",
    )
    shown = list(speeds[:-1] if asked.masks else speeds)
    with screen.picture:
        st.markdown(f"**{_of_speed(shown)}**")
        left, right = st.columns([1, 1], gap="small")
        with left:
            _speed_ups({s.machines: ups[s.machines] for s in shown}, asked)
        with right:
            _times([(s.machines, 1e3 * s.seconds, 1e3 * s.talking) for s in shown])
    page.note_beside(
        screen,
        f"A small transformer of {speeds[0].numbers:,} numbers learns from the same batch with 1, 2 and 4"
        " processes. Each sends its gradient to all and gets the sum back. This *all-reduce*, a sum and a"
        " broadcast in one, takes time that one process alone does not need, so two processes are less"
        " than twice as fast.",
    )
    made = results.provenance
    if not page.is_presenting():
        worst = max(s.difference for s in speeds)
        st.caption(
            f"Measured {made.get('speeds_date', made['date'])[:10]} with torch.distributed and gloo"
            " on two cores, one thread a process, the fastest of 200 steps in five rounds;"
            f" {4 * speeds[0].numbers / 1e6:.2f} MB a process and step. After all steps no weight"
            f" differs from one process's by more than {significant(worst, 1)}."
        )


def _of_speed(shown: list[Speed]) -> str:
    said = [f"{s.machines}: {1e3 * s.seconds:.0f}" for s in shown]
    return f"Milliseconds a step by processes: {', '.join(said)}"


def _speed_ups(ups: dict[int, float], asked: page.Asked) -> None:
    name = "measured"
    page.show_chart(
        page.line_chart(
            {name: [(float(k), up) for k, up in ups.items()]},
            {name: _STYLES[_STEP]},
            page.Axis("processes", (1, 4), values=(1, 2, 4)),
            page.Axis("times as fast", (0.0, 4.0)),
            references={"ideal": [(1, 1.0), (4, 4.0)], "two cores": [(2, 2.0), (4, 2.0)]},
            guess=asked.at(lambda up: (4.0, up)),
            has_points=True,
            has_names=False,
            height=HEIGHT,
        ),
        pa.table({"processes": list(ups), "times as fast": list(ups.values())}),
        key="speed_up",
        alt="; ".join(f"{up:.2f} times as fast for {k}" for k, up in ups.items()) + " processes",
        is_small=True,
    )


def _times(rows: list[tuple[int, float, float]]) -> None:
    lines = {
        _STEP: [(float(k), seconds) for k, seconds, _ in rows],
        _TALKING: [(float(k), talking) for k, _, talking in rows],
    }
    top = max(seconds for _, seconds, _ in rows)
    page.show_chart(
        page.line_chart(
            lines,
            _STYLES,
            page.Axis("processes", (1, 4), values=(1, 2, 4)),
            page.Axis("milliseconds a step", (0.0, 1.2 * top)),
            has_points=True,
            height=HEIGHT,
        ),
        pa.table(
            {
                "processes": [k for k, *_ in rows],
                "step (ms)": [seconds for _, seconds, _ in rows],
                "all-reduce (ms)": [talking for *_, talking in rows],
            }
        ),
        key="speed_times",
        alt="; ".join(f"{k}: {s:.0f} ms, {t:.1f} in the all-reduce" for k, s, t in rows),
        name="seconds-by-processes",
        is_small=True,
    )
