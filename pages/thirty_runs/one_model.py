"""One model: each worker sends a gradient, right or wrong, and a step follows their mean or their median."""

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from lm_core.classroom.records import ClassExperiment
from lm_core.experiments.thirty_runs import workers
from lm_core.experiments.thirty_runs.workers import NOTHING, RIGHT, STEPS, TIMES_100
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY
from pages.shared.classroom.class_runs import class_runs, run_buttons
from pages.shared.counts import counted
from pages.shared.numbers import significant
from pages.shared.rooms.membership import membership
from pages.shared.ui.markdown import escaped
from pages.thirty_runs.sent_gradients import KINDS, Sent, descent, of_class

NAME = "One model"
_WRONG = tuple(what for what in KINDS if what != RIGHT)
_MEAN, _MEDIAN, _ALL_RIGHT = "mean", "median", "all as computed"
_STYLES = {
    _ALL_RIGHT: page.LineStyle(GREY, 1),
    _MEAN: page.LineStyle(BLUE),
    _MEDIAN: page.LineStyle(GREEN, 2),
}
_NEAR, _FAR = (3.0, 4.0, 5.0), (3.0, 10.0, 30.0, 100.0, 300.0, 1_000.0)  # ticks


class OneModel(NamedTuple):
    """How many workers there are, and what some of them send."""

    workers: int = page.field(page.number, "Workers", 2, 30, 10, width=110)
    sends: str = page.field(page.choice, "What some send", _WRONG, TIMES_100, width=150)
    wrong: int = page.field(page.number, "How many of them", 0, 30, 1, width=150)


def _alone(chosen: OneModel) -> Sent:
    n_wrong = min(chosen.wrong, chosen.workers)
    row = (chosen.sends,) * n_wrong + (RIGHT,) * (chosen.workers - n_wrong)
    return Sent(chosen.workers, (row,) * STEPS)


def one_model(screen: page.FirstScreen) -> None:
    """Draw the loss by step of the model that all workers train together."""
    found = class_runs(NAME)
    works = found is not None and not found.shared.is_over and _is_student()
    # A phone that works has its own choice, and the button near the picture.
    chosen = page.starts(OneModel) if works else page.controls(OneModel, screen)
    shared = of_class(found) if found else _alone(chosen)
    right = ((RIGHT,) * shared.n_workers,) * STEPS
    lines = {_ALL_RIGHT: descent(shared.n_workers, right).losses} | {
        name: descent(shared.n_workers, shared.made, is_median=name == _MEDIAN).losses
        for name in (_MEAN, _MEDIAN)
    }
    asked = page.ask(
        screen,
        "one_wrong",
        "One of ten workers sends 100 times its gradient at each of ten steps. If none did, the loss would fall"
        f" from {lines[_MEAN][0]:.2f} to {lines[_ALL_RIGHT][-1]:.2f} nats a character. What does it come to now?",
        {"About 3.3, as low": 3.3, "About 4.2, as at the start": 4.2, "More than 20": 50.0},
        right=lambda: lines[_MEAN][-1],
        reason=lambda _: (
            f"**{significant(lines[_MEAN][-1], 2)}**: one gradient that is a hundred times too long makes the mean of"
            " ten about eleven times too long, so each step leads far past the valley. The *median* of each weight's"
            f" ten gradients comes to {lines[_MEDIAN][-1]:.2f}, because it does not matter to the middle of ten"
            " numbers how far off one of them is."
        ),
        when=found is None and chosen == page.starts(OneModel),
    )
    with screen.picture:
        st.markdown(f"**{_finding(shared, lines, asked)}**")
        _draw(shared, lines, asked)
        if found:
            st.caption(_who(shared))
    with screen.beside:
        _buttons(chosen, shared, works=works)
    page.note_beside(
        screen,
        "This is *data-parallel training*. Each worker has the same network and its own share of"
        f" {workers.EXAMPLES:,} places in a text; it computes the *gradient* of the loss on its share, and sends"
        " it. A step follows the mean of what was sent. The mean of all right gradients is the gradient of all"
        " examples, because the shares are of equal size; so it does not matter how many workers there are. The"
        " *median* is taken for each weight by itself.",
    )


def _finding(shared: Sent, lines: Mapping[str, list[float]], asked: page.Asked[float]) -> str:
    if asked.masks:
        return f"{shared.n_workers} workers, and one of them is wrong. Where does the mean lead?"
    if not shared.made:
        return f"No step has been made yet: {len(shared.waiting)} of {shared.n_workers} workers have sent"
    mean, median = (significant(lines[name][-1], 3) for name in (_MEAN, _MEDIAN))
    said = f"After {counted(len(shared.made), 'step')} the mean has come to {mean} nats a character, the median to {median}"
    if len(shared.made) == STEPS:
        return said
    return f"{said}; for the next, {len(shared.waiting)} of {shared.n_workers} have sent"


def _draw(shared: Sent, lines: Mapping[str, list[float]], asked: page.Asked[float]) -> None:
    hidden = asked.hides(_MEAN, _MEDIAN)
    top = max(5.0, *(1.2 * max(line) for name, line in lines.items() if name not in hidden))
    ticks = tuple(n for n in (_FAR if top > 10.0 else _NEAR) if n <= top)
    came = [sum(what != NOTHING for what in row) for row in shared.made]
    page.show_lines(
        "losses_of_workers",
        {name: [*enumerate(map(float, line))] for name, line in lines.items()},
        _STYLES,
        page.Axis("steps", (0, STEPS)),
        page.Axis("loss, nats a character", (3.0, top), True, ticks),
        hidden=hidden,
        guess=asked.at(lambda loss: (float(STEPS), loss)),
        waiting=asked.waiting(_MEAN, float(STEPS)),
        beside={"gradients that came": [None, *came, *[None] * (STEPS - len(came))]},
        height=360,
    )


def _who(shared: Sent) -> str:
    """Say who has sent for the next step, and what came for the last one."""
    said = []
    if shared.waiting:
        said.append("Have sent: " + ", ".join(map(escaped, shared.waiting)))
    if shared.made:
        kinds = Counter(shared.made[-1])
        came = ", ".join(f"{kinds[what]} {what.lower()}" for what in KINDS if kinds[what])
        said.append(f"In step {len(shared.made)}: {came}")
    return ". ".join(said)


def _is_student() -> bool:
    here = membership()
    return here is not None and not here.member.is_presenter


def _buttons(chosen: OneModel, shared: Sent, *, works: bool) -> None:
    """Draw what a member may do: a student chooses what to send, and sends it."""
    step = len(shared.made) + 1
    own, waits = RIGHT, ""
    if step > STEPS:
        waits = "All steps have been made. Watch the loss on your teacher's screen."
    elif shared.own:
        waits = _sent_said(shared, step)
    elif works:
        sent = (RIGHT, *(what for what in _WRONG if what != NOTHING))
        own = page.choice("own", "What you send (wrong as an experiment)", sent, in_link=False)
    run_buttons(
        ClassExperiment(
            NAME, {"workers": str(chosen.workers)}, STEPS * chosen.workers, chosen.workers
        ),
        lambda _: float(KINDS.index(own)),
        f"Send your gradient for step {step}",
        waits,
    )


def _sent_said(shared: Sent, step: int) -> str:
    """Say how long the gradient is that this visitor has sent."""
    assert shared.own
    (k, what), *_ = shared.own.items()
    row = tuple(shared.own.get(i, NOTHING) for i in range(shared.n_workers))
    lengths = descent(shared.n_workers, (*shared.made, row)).lengths
    each = workers.EXAMPLES // shared.n_workers
    return (
        f"Sent for step {step}: the gradient of {each:,} examples, {what.lower()}, of length"
        f" {significant(lengths[-1][k], 2)}. It waits for the others, because a step follows what all have sent, or what"
        " has come when your teacher goes on."
    )
