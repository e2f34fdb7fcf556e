"""Losses by step, and where a training is stopped."""

from functools import partial

import pyarrow as pa

from lm_core.experiments.overfitting.training import EVERY, STEPS, Training
from lm_core.training.early_stopping import stop_early
from pages.overfitting.scene import HEIGHT, STYLES, TRAINING, VALIDATION
from pages.overfitting.stopping import BY_HAND, BY_PATIENCE, Chosen
from pages.shared import page

_TOP = 2.0
ANSWERS = {"About 20": 20.0, "About 100": 100.0, "About 250": 250.0, "At the end, 400": 400.0}


def draw_losses(chosen: Chosen, found: Training, i: int, asked: page.Asked) -> None:
    """Draw both losses up to a step, and where the training stops."""
    is_masked = asked.masks
    is_blind = chosen.stopping == BY_HAND and not chosen.is_stopped
    rows = {
        TRAINING: found.training.losses[:, 0].tolist(),
        VALIDATION: found.validation.losses[:, 0].tolist(),
    }
    shown = {name: row[: i + 1] if is_blind else row for name, row in rows.items()}
    if is_masked:
        del shown[VALIDATION]
    lines = {name: list(zip(found.steps, row, strict=False)) for name, row in shown.items()}
    references, rings = _stops(chosen, found, i)
    page.show_chart(
        page.line_chart(
            lines,
            STYLES,
            page.Axis("steps", (0, STEPS)),
            page.Axis("loss (nats)", (0, _TOP)),
            references=references,
            rings=rings,
            guess=asked.at(partial(_place, found)),
            now=found.steps[i],
            height=HEIGHT - 20,
        ),
        pa.table({"step": list(found.steps)[: len(shown[TRAINING])], TRAINING: shown[TRAINING]})
        if is_masked or is_blind
        else pa.table({"step": list(found.steps)} | rows),
        key="time_losses",
        alt=f"Step {found.steps[i]}: "
        + "; ".join(f"{name} {row[i]:.3f}" for name, row in shown.items() if i < len(row)),
        name="loss-by-step",
        is_small=True,
    )


Pairs = list[tuple[float, float]]


def _stops(chosen: Chosen, found: Training, i: int) -> tuple[dict[str, Pairs], dict[str, Pairs]]:
    """Return where the training is stopped, as a line, and what is kept of it, as a ring."""
    validation = found.validation.losses[:, 0].tolist()
    if chosen.stopping == BY_HAND and chosen.is_stopped:
        return {}, {VALIDATION: [(found.steps[i], validation[i])]}
    if chosen.stopping != BY_PATIENCE:
        return {}, {}
    stop = stop_early(validation, chosen.patience)
    rings = {VALIDATION: [(float(found.steps[stop.best]), validation[stop.best])]}
    if stop.stopped is None:
        return {}, rings
    at = float(found.steps[stop.stopped])
    return {"stops": [(at, _TOP), (at, 0.0)]}, rings


def _place(found: Training, step: float) -> tuple[float, float]:
    """Return where on the validation loss an answer stands."""
    return step, float(found.validation.losses[round(step / EVERY), 0])
