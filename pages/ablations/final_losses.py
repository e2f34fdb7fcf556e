"""What each part contributes: the loss on unseen text, compared with the full model's."""

from statistics import fmean

import pandas as pd
import streamlit as st

from lm_core.experiments.ablations.variants import COMPARISONS, TRAINING, VARIANTS
from pages.ablations.training_curves import results, style_of
from pages.shared import charts
from pages.shared.ui.figures import show_chart
from pages.shared.ui.times import duration

_SEEDS = ("full", "full-seed-2", "full-seed-3")
_DEEP = "deep"


def final_losses() -> None:
    """Draw how much the loss rises without each part, and explain it with its numbers."""
    st.subheader("What each part contributes", anchor=False)
    losses = {name: found["validation"]["loss"] for name, found in results().trainings.items()}
    of_seeds = [losses[name] for name in _SEEDS if name in losses]
    mean = fmean(of_seeds)
    frame = _frame(losses, mean)
    if len(frame):
        _bars(frame, noise=max(abs(loss - mean) for loss in of_seeds))
    st.markdown(" ".join([_spread_of_seeds(of_seeds), *_findings(losses)]))
    st.caption(_provenance())


def _frame(losses: dict[str, float], mean: float) -> pd.DataFrame:
    """Return how much worse each variant is than the full model of the same depth."""
    rows = []
    compared = dict.fromkeys(name for names in COMPARISONS.values() for name in names)
    for name in compared:
        if name not in losses or name in ("full", "no-mask"):
            continue
        is_deep = name.startswith(f"{_DEEP}-")
        difference = losses[name] - (losses.get(_DEEP, mean) if is_deep else mean)
        rows.append((VARIANTS[name].title, difference, losses[name], style_of(name).colour))
    return pd.DataFrame(rows, columns=["model", "difference", "loss", "colour"])


def _bars(frame: pd.DataFrame, noise: float) -> None:
    worst = frame.loc[frame["difference"].idxmax()]
    finding = f"Largest increase: {worst['model']}, {worst['difference']:+.2f} nats per character"
    st.markdown(f"**{finding}**")
    chart = charts.difference_bars(
        frame, noise=noise, title="loss minus the full model's (nats per character)"
    )
    table = frame[["model", "loss", "difference"]].sort_values("difference")
    alt = f"Loss on the last tenth of the book minus the full model's. {finding}."
    show_chart(chart, table, key="ablation_differences", alt=alt, name="ablation-differences")


def _spread_of_seeds(losses: list[float]) -> str:
    """Return how far trainings of the full model from several seeds end apart."""
    low, high = min(losses), max(losses)
    if len(losses) < 2:
        return (
            f"The full model ends at {low:.3f} nats per character, from one seed. How much another seed"
            " would change is not known."
        )
    return (
        f"The full model, trained from {len(losses)} seeds, ends at {low:.3f} to {high:.3f} nats per"
        f" character. A difference below {high - low:.3f} between two models is therefore no evidence."
    )


def _findings(losses: dict[str, float]) -> list[str]:
    """Return the main findings, each only where its numbers are there."""
    found = []
    if {"one-head", "eight-heads"} <= set(losses):
        found.append(
            f"With one head the loss is {losses['one-head']:.3f}, with eight"
            f" {losses['eight-heads']:.3f}, at the same width and number of parameters."
        )
    for depth, prefix in (("4", ""), ("8", f"{_DEEP}-")):
        names = [f"{prefix}{name}" for name in ("no-residual", "no-norm", "neither")]
        if set(names) <= set(losses):
            values = [f"{losses[name]:.2f}" for name in names]
            found.append(
                f"With {depth} layers, the model without residual ends at {values[0]}, without norm at"
                f" {values[1]}, without both at {values[2]}."
            )
    if "no-residual" in losses:
        found.append(
            f"A *unigram model*, which knows only how frequent each character is, has"
            f" {results().unigram_loss:.2f}."
        )
    if "no-residual-low-rate" in losses:
        rates = [f"{VARIANTS[n].learning_rate:g}" for n in ("no-residual", "no-residual-low-rate")]
        found.append(
            f"The learning rate matters: without residual, {rates[1]} instead of {rates[0]} ends at"
            f" {losses['no-residual-low-rate']:.2f}."
        )
    return found


def _provenance() -> str:
    found, training = results(), TRAINING
    record, facts = found.trainings["full"], found.provenance
    config = record["config"]
    n_characters = training.steps * training.batch * training.window
    return (
        f"{len(found.trainings)} trainings · width {config['width']}, {config['layers']} or 8 layers,"
        f" context {config['context']}, {record['parameters']:,} parameters (full model, 4 layers) ·"
        f" {training.steps:,} steps of {training.batch} x {training.window} characters,"
        f" {n_characters / 1e6:.2f} M seen · AdamW, learning rate {training.learning_rate:g} unless stated ·"
        f" {training.dtype} · seed {training.seed} · evaluated on the last tenth of the book, in cold"
        f" windows of {config['context']} · {facts['device']}, {duration(facts['seconds'])} in all, on"
        f" a shared machine · {facts['date'][:10]}"
    )
