"""What each part is worth: the loss on text that no model has seen, beside that of the whole one."""

from itertools import chain
from statistics import fmean

import pandas as pd
import streamlit as st

from lm_core.experiments.ablations.variants import TRAINING, VARIANTS
from pages.ablations.measured import (
    GROUPS,
    UNMASKED,
    WHOLE,
    look_of,
    results,
    title_of,
)
from pages.shared import charts
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import duration

_SEEDS = (WHOLE, "whole-again", "whole-once-more")
_DEEP = "deep"


def what_each_part_gives() -> None:
    """Draw how much is lost without each part, and explain it with its numbers."""
    st.subheader("What each part gives", anchor=False)
    whole = [_loss(name) for name in _SEEDS if name in results()]
    mean = fmean(whole)
    chance = max(abs(loss - mean) for loss in whole)
    frame = _frame(mean)
    if len(frame):
        _bars(frame, chance)
    findings = _findings({name: _loss(name) for name in results().names})
    st.markdown(" ".join([_play_of_chance(whole), *findings]))
    st.caption(_provenance())


def _play_of_chance(losses: list[float]) -> str:
    """Say how far trainings of the same model from other seeds end apart."""
    low, high = min(losses), max(losses)
    if len(losses) < 2:
        return (
            f"With nothing left out the loss is {low:.3f} nats per character, from one seed: how much of"
            " a small difference is chance is not known."
        )
    return (
        f"With nothing left out, {len(losses)} trainings from different seeds end at {low:.3f} to"
        f" {high:.3f} nats per character: a difference of less than {high - low:.3f} between two models"
        " says nothing."
    )


def _loss(name: str) -> float:
    return results()[name]["validation"]["loss"]


def _frame(mean: float) -> pd.DataFrame:
    """Return how much worse than the whole model of their depth the others are."""
    names = [n for n in dict.fromkeys(chain(*GROUPS.values())) if n in results()]
    rows = []
    for name in names:
        if name in (WHOLE, UNMASKED):
            continue
        is_deep = name.startswith(f"{_DEEP}-")
        against = _loss(_DEEP) if is_deep and _DEEP in results() else mean
        rows.append((title_of(name), _loss(name) - against, _loss(name), look_of(name).colour))
    return pd.DataFrame(rows, columns=["model", "difference", "loss", "colour"])


def _bars(frame: pd.DataFrame, chance: float) -> None:
    worst = frame.loc[frame["difference"].idxmax()]
    finding = f"Most is lost by {worst['model']}: {worst['difference']:+.2f} nats per character"
    st.markdown(f"**{finding}**")
    chart = charts.difference_bars(
        frame, chance=chance, title="loss beyond the whole model's (nats per character)"
    )
    table = frame[["model", "loss", "difference"]].sort_values("difference")
    alt = f"Loss on the last tenth of the book beyond the whole model's. {finding}."
    show_chart(chart, table, key="without_worth", alt=alt, name="what-each-part-gives")


def _findings(losses: dict[str, float]) -> list[str]:
    """Say what stands out, each sentence only where its numbers are there."""
    found = []
    if {"one-head", "eight-heads"} <= set(losses):
        found.append(
            f"One head or eight, at the same width and the same number of parameters:"
            f" {losses['one-head']:.3f} and {losses['eight-heads']:.3f}."
        )
    for depth, prefix in (("4", ""), ("8", f"{_DEEP}-")):
        names = [f"{prefix}{name}" for name in ("no-residual", "no-norm", "neither")]
        if set(names) <= set(losses):
            told = [f"{losses[name]:.2f}" for name in names]
            found.append(
                f"In {depth} layers, the model without residual ends at {told[0]}, without norm at"
                f" {told[1]}, without both at {told[2]}."
            )
    if "no-residual" in losses:
        letters = results().letter_frequency_loss
        found.append(f"Who knows nothing but how often each letter stands has {letters:.2f}.")
    if "no-residual-slowly" in losses:
        rates = [f"{VARIANTS[n].learning_rate:g}" for n in ("no-residual", "no-residual-slowly")]
        found.append(
            f"Rates matter: without residual, a learning rate of {rates[1]} instead of {rates[0]} ends"
            f" at {losses['no-residual-slowly']:.2f}."
        )
    return found


def _provenance() -> str:
    found = results()
    record, training = found[WHOLE], TRAINING
    config = record["config"]
    seen = training.steps * training.batch * training.window
    return (
        f"{len(found.names)} trainings · width {config['width']}, {config['layers']} or 8 layers,"
        f" context {config['context']}, {record['parameters']:,} parameters (whole, 4 layers) ·"
        f" {training.steps:,} steps of {training.batch} x {training.window} characters,"
        f" {seen / 1e6:.2f} M seen · AdamW, learning rate {training.learning_rate:g} where not said otherwise ·"
        f" {training.dtype} · seed {training.seed} · judged on the last tenth of the book, in cold"
        f" windows of {config['context']} · {found.device}, {duration(found.seconds)} in all, on a shared machine ·"
        f" {found.date[:10]}"
    )
