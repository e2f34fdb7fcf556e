"""How the chosen models learned: loss, gradient of each block, and text generated during training."""

import math

import pandas as pd
import streamlit as st

from lm_core.text.character_vocabulary import SOURCE
from pages.ablations.curve_choice import Choice, results, style_of, titled
from pages.shared import page
from pages.shared.numbers import significant

TRAINING_TEXT, HELD_OUT_TEXT = "training text", "held-out text"
CHANCE = round(math.log(len(SOURCE)), 2)  # loss of uniform probabilities, in nats per character

_WITH_GRADIENTS = ("Residual and norm", "8 layers")
"""The comparisons whose models differ in how far a gradient reaches."""
_FEW = 3  # losses that fit into one line
_LOSS = page.Axis("loss (nats/char)", (0.0, 4.5))
_GRADIENT = page.Axis("gradient norm", (1e-14, 10.0), True, (1e-12, 1e-8, 1e-4, 1.0))

Lines = dict[str, list[tuple[float, float]]]


def draw_curves(choice: Choice, step: int) -> None:
    """Draw the training curves, with a mark at one snapshot.

    `step`: int, of the snapshot.
    """
    if not choice.names:
        st.info("Choose at least one model.")
        return
    _losses(choice, step)


def draw_gradients(choice: Choice, step: int) -> None:
    """Draw the gradient of each block at a snapshot, where the models differ in how far it reaches."""
    if choice.names and choice.comparison in _WITH_GRADIENTS:
        _gradients(choice, step)


def _losses(choice: Choice, step: int) -> None:
    lines = _lines(choice)
    current = {name: _value_at(pairs, step) for name, pairs in lines.items()}
    finding = f"After {step:,} steps, loss on {choice.text}: {_in_short(current)}"
    st.markdown(f"**{finding}**")
    last = results().snapshot_steps[-1]
    chart = page.line_chart(
        lines,
        _styles(choice),
        page.Axis("training step", (0.0, last), values=tuple(range(0, last + 1, last // 6))),
        _LOSS,
        references={f"chance {CHANCE}": [(0.0, CHANCE), (last, CHANCE)]},
        guess=choice.guess,
        waiting=choice.waiting,
        now=step,
        height=250 if len(choice.names) < _FEW else 320,  # above the beginnings of texts
    )
    table = _table(lines, "training step", "loss (nats per character)")
    page.show_chart(chart, table, key="ablation_losses", alt=f"{finding}.")


def _in_short(losses: dict[str, float]) -> str:
    """Return a few losses one by one, of many the lowest and the highest."""
    if len(losses) > _FEW:
        ends = [f(losses, key=losses.__getitem__) for f in (min, max)]
        return " to ".join(f"{losses[name]:.2f} ({name})" for name in ends)
    return ", ".join(f"{name} {loss:.2f}" for name, loss in losses.items())


def _lines(choice: Choice) -> Lines:
    """Return the losses to draw by the line's name; without the mask there are two on held-out text."""
    lines: Lines = {}
    for name in choice.drawn:
        record, title = results().trainings[name], titled(name)
        if choice.text == TRAINING_TEXT:
            curve = record.curve
            lines[title] = list(zip(curve.step, curve.loss, strict=True))
            continue
        lines[title] = [(s.step, s.loss) for s in record.snapshots]
        masked: list[tuple[float, float]] = [
            (s.step, s.masked_loss) for s in record.snapshots if s.masked_loss is not None
        ]
        if masked:
            lines[_masked(title)] = masked
    return lines


def _styles(choice: Choice) -> dict[str, page.LineStyle]:
    styles = {titled(name): style_of(name) for name in choice.names}
    masked = {_masked(title): style._replace(dash=2) for title, style in styles.items()}
    return styles | masked


def _masked(title: str) -> str:
    return f"{title}, masked now"


def _value_at(pairs: list[tuple[float, float]], step: int) -> float:
    """Return the last value up to a step."""
    return [y for x, y in pairs if x <= step][-1]


def _gradients(choice: Choice, step: int) -> None:
    snapshots = {name: found for name in choice.names if (found := results().snapshot(name, step))}
    lines: Lines = {
        titled(name): [(i + 1, norm) for i, norm in enumerate(s.block_gradients)]
        for name, s in snapshots.items()
    }
    smallest, title = min(
        ((min(y for _, y in pairs), title) for title, pairs in lines.items()), default=(0.0, "")
    )
    finding = f"Smallest gradient norm of a block: {significant(smallest, 1)}, {title}"
    st.markdown(f"**{finding}**")
    n_blocks = max((len(pairs) for pairs in lines.values()), default=1)
    chart = page.line_chart(
        lines,
        _styles(choice),
        page.Axis("block", (1.0, float(n_blocks)), values=tuple(range(1, n_blocks + 1))),
        _GRADIENT,
        has_points=True,
        height=250,
    )
    table = _table(lines, "block", "gradient norm")
    alt = f"Gradient norm of each block at training step {step}. {finding}."
    page.show_chart(chart, table, key="ablation_gradients", alt=alt, name="gradient-by-block")


def _table(lines: Lines, x: str, y: str) -> pd.DataFrame:
    rows = [(name, int(at), value) for name, pairs in lines.items() for at, value in pairs]
    return pd.DataFrame(rows, columns=["model", x, y])
