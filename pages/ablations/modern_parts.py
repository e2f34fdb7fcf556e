"""Parts of today's language models in place of older ones: what each does to loss, time and cache."""

from statistics import fmean

import streamlit as st

from lm_core.experiments.ablations.results import AblationResults
from lm_core.experiments.ablations.variants import MODERN, VARIANTS
from lm_core.models.registry import config_from_dict
from pages.ablations.curve_choice import results
from pages.ablations.differences import difference_frame, draw_differences
from pages.shared import page
from pages.shared.numbers import significant, written

MODERN_PARTS = "Modern parts"
_ALONE = {VARIANTS[name].title: name for name in MODERN[:-1]}
_ALL = MODERN[-1]
_NONE = "None by more than chance"
_BYTES = 4  # of a number in float32


def modern_parts(screen: page.FirstScreen) -> None:
    """Draw how far each model ends from the full one, all asked for; then weights, time and cache."""
    found = results()
    above = found.above_full(MODERN)
    asked = page.ask(
        screen,
        "modern",
        "Today's language models have RMSNorm, SwiGLU and grouped queries in place of older parts. With"
        " equally many weights, which of the three lowers the loss most?",
        (*_ALONE, _NONE),
        right=_right(above, found.noise),
        reason=lambda _: _reason(above, found),
    )
    shown: dict[str, float | None] = dict.fromkeys(MODERN) if asked.masks else {**above}
    ends = (f"{VARIANTS[name].title} {_signed(above[name])}" for name in MODERN)
    finding = f"Loss on pages never seen, minus the full model's: {'?' if asked.masks else ', '.join(ends)}"
    with screen.picture:
        st.markdown(f"**{finding}**")
        draw_differences(difference_frame(shown), found.noise, finding, key="ablation_modern")
        if not page.is_presenting():
            page.show_rows(
                ("Model", "Loss (nats)", "Weights", "ms a step", "Cache of a token"),
                [_row(found, name, is_masked=asked.masks) for name in ("full", *MODERN)],
                sideways="modern",
            )
            st.caption(_measured(found))
    page.note_beside(screen, _EXPLAINED)


def _right(above: dict[str, float], noise: float) -> str:
    """Return the answer: the part with the lowest loss, if that is outside the seeds' band."""
    best = min(_ALONE, key=lambda title: above[_ALONE[title]])
    return best if above[_ALONE[best]] < -noise else _NONE


def _reason(above: dict[str, float], found: AblationResults) -> str:
    """Say what each part does to the loss, and which do nothing that can be measured here."""
    said, nothing = [], []
    for title, name in _ALONE.items():
        if abs(above[name]) > found.noise:
            said.append(f"**{title}** changes the loss by **{_signed(above[name])}** nats")
        else:
            nothing.append(f"{title} ({_signed(above[name])})")
    if nothing:
        said.append(
            f"{' and '.join(nothing)} {'does' if len(nothing) == 1 else 'do'} nothing measurable at this size, because"
            f" another seed changes the full model's loss by up to {found.noise:.3f}"
        )
    said.append(
        f"all three together end at {found.losses[_ALL]:.3f}, {_signed(above[_ALL])} beside the full model"
    )
    sentences = ". ".join(sentence[0].upper() + sentence[1:] for sentence in said)
    return f"{sentences}. Each of the four was trained once."


def _row(found: AblationResults, name: str, *, is_masked: bool) -> tuple[str, ...]:
    record, seeds = found.trainings[name], found.full_losses
    loss = f"{found.losses[name]:.3f}"
    if name == "full":
        loss = f"{fmean(seeds):.3f} ({min(seeds):.3f} to {max(seeds):.3f})"
    elif is_masked:
        loss = "?"
    seconds = found.step_seconds.get(name)
    time = "not measured" if seconds is None else significant(1e3 * seconds, 3)
    cache = _BYTES * config_from_dict(record.config).cached_numbers
    return VARIANTS[name].title, loss, f"{record.parameters:,}", time, f"{cache:,} bytes"


def _measured(found: AblationResults) -> str:
    """Say how the columns came about, and what of them is due to this machine."""
    norms = [found.step_seconds.get(name, 0.0) for name in ("full", "rms-norm")]
    slower = (
        " A step with RMSNorm takes longer here, because torch has one operation for a layer norm on a"
        " processor, and RMSNorm is made of several."
        if norms[1] > norms[0] > 0.0
        else ""
    )
    return (
        f"The full model was trained from {len(found.full_losses)} seeds, the others from one. A step is a training"
        " step, in milliseconds of one processor, the least of many measurements; the machine was shared, so a few"
        f" milliseconds say nothing.{slower} The cache holds keys and values of each token that was read, in all layers, at"
        f" {_BYTES} bytes a number. What two heads in place of four spare in weights is spent on a wider"
        " feed-forward network."
    )


def _signed(loss: float) -> str:
    return written(loss, "+.3f")


_EXPLAINED = (
    "A bar is a model that differs from the full one in one part, the last one in all three. *RMSNorm* divides by"
    " the root mean square alone, so it spares the mean of a layer norm. *SwiGLU* lets one half of the hidden units"
    " decide how much of the other half passes; its hidden layer is two thirds as wide, because it has three"
    " matrices. With *grouped queries* two heads share keys and values, so the *key-value cache* is half as large."
    " Inside the grey band a bar says little."
)
