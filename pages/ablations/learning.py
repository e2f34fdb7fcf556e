"""How the chosen models learned: loss, gradient in each block, and what they wrote on the way."""

import pandas as pd
import streamlit as st

from lm_core.experiments.ablations.training import PROMPT
from pages.ablations.choices import HELD_OUT, Choice
from pages.ablations.measured import (
    ABOUT_GRADIENTS,
    CHANCE,
    UNMASKED,
    look_at,
    look_of,
    moments,
    results,
    title_of,
)
from pages.shared import charts
from pages.shared.ui.figures import show_chart

_LOSS = charts.Axis("loss (nats per character)", (0.0, 4.5))
_GRADIENT = charts.Axis("length of the gradient", (1e-14, 10.0), True, (1e-12, 1e-8, 1e-4, 1.0))


def after_step(choice: Choice, moment: int) -> None:
    """Draw everything at one moment of the trainings.

    Parameters
    ----------
    choice : Choice
    moment : int
        Index in `moments`.
    """
    step = moments()[moment]
    if not choice.names:
        st.info("Choose at least one model.")
        return
    if choice.group in ABOUT_GRADIENTS:
        left, right = st.columns([1.5, 1], gap="medium")
        with right:
            _gradients(choice, step)
    else:
        left = st.container()
    with left:
        _losses(choice, step)
    _texts(choice, step)


def _losses(choice: Choice, step: int) -> None:
    lines = _lines(choice)
    last = {name: _at(pairs, step) for name, pairs in lines.items()}
    told = ", ".join(f"{name} {loss:.2f}" for name, loss in last.items())
    finding = f"After {step:,} steps, loss on {choice.judged_by}: {told}"
    st.markdown(f"**{finding}**")
    steps = moments()[-1]
    chart = charts.line_chart(
        lines,
        _looks(choice),
        charts.Axis("step", (0.0, float(steps)), values=tuple(range(0, steps + 1, steps // 6))),
        _LOSS,
        references={f"chance {CHANCE}": [(0.0, CHANCE), (float(steps), CHANCE)]},
        now=step,
        height=330,
    )
    table = pd.DataFrame(
        [(name, int(x), y) for name, pairs in lines.items() for x, y in pairs],
        columns=["model", "step", "loss (nats per character)"],
    )
    show_chart(chart, table, key="without_losses", alt=f"{finding}.", name="without-a-part")


def _lines(choice: Choice) -> dict[str, list[tuple[float, float]]]:
    """Return the losses to draw by the line's name; a model without mask is judged in two ways."""
    lines = {}
    for name in choice.names:
        record, title = results()[name], title_of(name)
        if choice.judged_by != HELD_OUT:
            curve = record["curve"]
            lines[title] = list(zip(curve["step"], curve["loss"], strict=True))
            continue
        lines[title] = [(look["step"], look["loss"]) for look in record["looks"]]
        if name == UNMASKED:
            lines[f"{title}, masked now"] = [
                (look["step"], look["masked_loss"]) for look in record["looks"]
            ]
    return lines


def _looks(choice: Choice) -> dict[str, charts.LineStyle]:
    looks = {title_of(name): look_of(name) for name in choice.names}
    masked = f"{title_of(UNMASKED)}, masked now"
    return looks | {masked: charts.LineStyle(look_of(UNMASKED).colour, 2)}


def _at(pairs: list[tuple[float, float]], step: int) -> float:
    """Return the last value up to a step."""
    return [y for x, y in pairs if x <= step][-1]


def _gradients(choice: Choice, step: int) -> None:
    looks = {name: look for name in choice.names if (look := look_at(name, step))}
    lines = {
        title_of(name): [(i + 1, length) for i, length in enumerate(look["block_gradients"])]
        for name, look in looks.items()
    }
    shortest = min(
        ((min(y for _, y in pairs), name) for name, pairs in lines.items()), default=(0.0, "")
    )
    finding = f"Shortest gradient of a block: {shortest[0]:.0e}, {shortest[1]}"
    st.markdown(f"**{finding}**")
    n_blocks = max((len(pairs) for pairs in lines.values()), default=1)
    chart = charts.line_chart(
        lines,
        _looks(choice),
        charts.Axis("block", (1.0, float(n_blocks)), values=tuple(range(1, n_blocks + 1))),
        _GRADIENT,
        has_points=True,
        height=330,
    )
    table = pd.DataFrame(
        [(name, int(x), y) for name, pairs in lines.items() for x, y in pairs],
        columns=["model", "block", "length of the gradient"],
    )
    alt = f"Length of the gradient in each block at step {step}. {finding}."
    show_chart(chart, table, key="without_gradients", alt=alt, name="gradient-by-block")


def _texts(choice: Choice, step: int) -> None:
    """Show what each model wrote after the step, all from the same prompt and random numbers."""
    st.caption(
        f"What each wrote after {step:,} steps, all from “{PROMPT.strip()}” and the same random"
        " numbers, at temperature 0.8."
    )
    n_columns = 2 if len(choice.names) in (2, 4) else min(3, len(choice.names))
    for start in range(0, len(choice.names), n_columns):
        columns = st.columns(n_columns)
        for column, name in zip(columns, choice.names[start : start + n_columns], strict=False):
            with column, st.container(border=True):
                _text(name, step)


def _text(name: str, step: int) -> None:
    look = look_at(name, step)
    if look is None:
        st.markdown(f"**{title_of(name)}**")
        st.caption(results()[name].get("diverged", "Not trained so far."))
        return
    st.markdown(f"**{title_of(name)}** · held-out {look['loss']:.2f}")
    st.text(PROMPT + look["text"])
