"""Every model that was trained, those of 8 layers included, and what they show."""

import streamlit as st

from lm_core.experiments.ablations.results import DEEP, AblationResults
from lm_core.experiments.ablations.variants import COMPARISONS, MODERN, VARIANTS
from pages.ablations.differences import difference_frame, draw_differences

RANKS, ALL = "ablation_ranks", "ablation_differences"  # the two charts, whose bars can be clicked


def draw_all_models(found: AblationResults) -> None:
    """Draw all models, those of 8 layers included, and say what they show."""
    st.header("Every model that was trained", anchor=False)
    compared = dict.fromkeys(name for names in (*COMPARISONS.values(), MODERN) for name in names)
    names = [name for name in compared if name in found.losses and name not in ("full", "no-mask")]
    differences = found.above_full(names)
    worst = max(differences, key=differences.__getitem__)
    finding = (
        f"Largest increase: {VARIANTS[worst].title}, {differences[worst]:+.2f} nats per character"
    )
    st.markdown(f"**{finding}**")
    draw_differences(difference_frame(differences), found.noise, finding, key=ALL)
    st.markdown(" ".join([_spread_of_seeds(found.full_losses), *_findings(found)]))


def _spread_of_seeds(losses: list[float]) -> str:
    """Return how far trainings of the full model from several seeds end apart."""
    low, high = min(losses), max(losses)
    if len(losses) < 2:
        return (
            f"The full model ends at {low:.3f} nats per character, from one seed. How much another"
            " seed would change is not known, because each model here was trained once."
        )
    return (
        f"The full model, trained from {len(losses)} seeds, ends at {low:.3f} to {high:.3f} nats per"
        f" character. So chance alone moves a loss by {high - low:.3f} or more: a difference of that size"
        " between two models, each trained once, says little."
    )


def _findings(results: AblationResults) -> list[str]:
    """Return the main findings, each only where its numbers are there."""
    losses, found = results.losses, []
    if {"one-head", "eight-heads"} <= set(losses):
        found.append(
            f"With one head the loss is {losses['one-head']:.3f}, with eight"
            f" {losses['eight-heads']:.3f}, at the same width and number of parameters: the heads"
            " share the width, so more of them are narrower."
        )
    for depth, prefix in (("4", ""), ("8", f"{DEEP}-")):
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
            f" {results.unigram_loss:.2f}."
        )
    if "no-residual-low-rate" in losses:
        rates = [f"{VARIANTS[n].learning_rate:g}" for n in ("no-residual", "no-residual-low-rate")]
        found.append(
            f"A lower learning rate hardly helps: without residual, {rates[1]} instead of"
            f" {rates[0]} ends at {losses['no-residual-low-rate']:.2f}, still about the loss of a"
            " unigram model. So it is probably not that its steps were too large."
        )
    return found
