"""What each part contributes: the loss on unseen text without it, compared with the full model's."""

from collections.abc import Mapping
from statistics import fmean

import pandas as pd
import streamlit as st

from lm_core.experiments.ablations.variants import COMPARISONS, TRAINING, VARIANTS
from pages.ablations.comparison import models_control
from pages.ablations.training_curves import results, style_of, without_residual
from pages.shared import page
from pages.shared.charts.comparisons import difference_bars, picked_model
from pages.shared.charts.palette import GUESS
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import Prediction, nearest_answer, predict_then_reveal, show_verdict
from pages.shared.ui.times import duration

_RANKS, _ALL = "ablation_ranks", "ablation_differences"
"""The two charts, whose bars can be clicked."""
_SEEDS = ("full", "full-seed-2", "full-seed-3")
_DEEP = "deep"
_ASKED = "no-residual"
_SINGLE = (
    "no-residual",
    "no-positions",
    "no-norm",
    "one-layer",
    "one-head",
    "two-heads",
    "eight-heads",
    "post-norm",
)
"""Models of 4 layers that differ from the full one in a single part."""
_FAR, _TWICE = "More than twice as far as any other", 2.0
_AXIS = "extra loss (nats per character)"


def take_clicked_model() -> None:
    """Open the curves and texts of the model whose bar was clicked; call it before the controls are drawn."""
    for key in (_RANKS, _ALL):
        clicked = picked_model(st.session_state.get(key, {}).get("selection", {}))
        for comparison, (first, *others) in COMPARISONS.items():
            for name in others:
                if clicked in (VARIANTS[name].title, _as_guessed(VARIANTS[name].title)):
                    st.session_state["ablation"] = comparison
                    st.session_state[models_control(comparison)] = [first, name]


def every_part(screen: page.FirstScreen) -> None:
    """Draw how far each model ends above the full one, the largest bar asked for; then explain it."""
    losses = _losses()
    ranked = _differences(losses, [name for name in _SINGLE if name in losses])
    with screen.beside:
        prediction = _ask(ranked, losses)
    page.note_beside(
        screen,
        "Every model learned from the same characters in the same order. A bar says how much higher its"
        " loss is without that part, on pages that no model saw. Inside the grey band a bar says little,"
        " because another seed changes the loss as much. Tap a bar to see how that model learned and what"
        " it writes.",
    )
    with screen.picture:
        _ranked(ranked, _noise(losses), prediction)
    if prediction.revealed and not page.is_presenting():
        _all_models(losses)
    st.caption(_provenance())


def _losses() -> dict[str, float]:
    """Return every model's loss on the last tenth of the book."""
    return {name: found.validation.loss for name, found in results().trainings.items()}


def _full(losses: dict[str, float]) -> list[float]:
    """Return the full model's losses, one for each seed."""
    return [losses[name] for name in _SEEDS if name in losses]


def _noise(losses: dict[str, float]) -> float:
    """Return how far a seed of the full model ends from the mean of all of them, at most."""
    of_seeds = _full(losses)
    return max(abs(loss - fmean(of_seeds)) for loss in of_seeds)


def _differences(losses: dict[str, float], names: list[str]) -> dict[str, float]:
    """Return how much worse each model is than the full one of the same depth."""
    mean = fmean(_full(losses))
    return {
        name: losses[name] - (losses.get(_DEEP, mean) if name.startswith(f"{_DEEP}-") else mean)
        for name in names
    }


# The question ---------------------------------------------------------------------------------


def _ask(ranked: dict[str, float], losses: dict[str, float]) -> Prediction:
    """Ask for the bar of the residual connection."""
    answers = _answers(ranked)
    prediction = predict_then_reveal(
        "ranked",
        "The *residual connection* lets a block add to its input instead of replacing it. How far above"
        " the full model does the model without it end?",
        list(answers),
    )
    if prediction.revealed:
        found, others = _apart(ranked)
        bars = {said: others[name] for said, name in answers.items() if name}
        is_far = found > _TWICE * max(others.values())
        show_verdict(
            prediction,
            right=_FAR if is_far else nearest_answer(found, bars),
            reason=f"It ends **{found:.2f}** nats per character above, at {losses[_ASKED]:.2f}. "
            + without_residual(),
        )
    return prediction


def _answers(ranked: dict[str, float]) -> dict[str, str]:
    """Return the answers, each with the model whose bar it names; none for the last."""
    return {
        f"As with 1 layer instead of 4, {ranked['one-layer']:.2f}": "one-layer",
        f"As without positions, {ranked['no-positions']:.2f}": "no-positions",
        _FAR: "",
    }


def _apart(ranked: dict[str, float]) -> tuple[float, dict[str, float]]:
    """Return the bar that is asked for, and the others."""
    return ranked[_ASKED], {name: found for name, found in ranked.items() if name != _ASKED}


# The picture ----------------------------------------------------------------------------------


def _ranked(ranked: dict[str, float], noise: float, prediction: Prediction) -> None:
    asked, others = _apart(ranked)
    worst = max(others, key=others.__getitem__)
    beside = f"{VARIANTS[worst].title} {others[worst]:.2f} above the full model's"
    finding = (
        f"Loss on pages never seen: {beside}; {VARIANTS[_ASKED].title} {asked:.2f}"
        if prediction.revealed
        else f"Loss on pages never seen: {beside}; {VARIANTS[_ASKED].title}?"
    )
    shown: dict[str, float | None] = {**ranked}
    if not prediction.revealed:
        shown[_ASKED] = None
    guessed = _answers(ranked).get(prediction.guess or "") if prediction.revealed else None
    st.markdown(f"**{finding}**")
    _bars(_frame(shown, guessed or ""), noise, finding, key=_RANKS)


def _as_guessed(title: str) -> str:
    return f"{title} ({GUESS})"


def _frame(differences: Mapping[str, float | None], guessed: str = "") -> pd.DataFrame:
    titles = {name: VARIANTS[name].title for name in differences}
    return pd.DataFrame(
        [
            (
                _as_guessed(titles[name]) if name == guessed else titles[name],
                found,
                style_of(name).colour,
            )
            for name, found in differences.items()
        ],
        columns=["model", "difference", "colour"],
    ).astype({"difference": float})


def _bars(frame: pd.DataFrame, noise: float, finding: str, *, key: str) -> None:
    show_chart(
        difference_bars(frame, noise=noise, title=_AXIS, is_clickable=True),
        frame[["model", "difference"]].sort_values("difference"),
        key=key,
        alt=f"Loss on the last tenth of the book minus the full model's. {finding}.",
        name=key.replace("_", "-"),
        selectable=True,
    )


# What else was trained ------------------------------------------------------------------------


def _all_models(losses: dict[str, float]) -> None:
    """Draw all models, those of 8 layers included, and say what they show."""
    st.header("Every model that was trained", anchor=False)
    compared = dict.fromkeys(name for names in COMPARISONS.values() for name in names)
    names = [name for name in compared if name in losses and name not in ("full", "no-mask")]
    differences = _differences(losses, names)
    worst = max(differences, key=differences.__getitem__)
    finding = (
        f"Largest increase: {VARIANTS[worst].title}, {differences[worst]:+.2f} nats per character"
    )
    st.markdown(f"**{finding}**")
    _bars(_frame(differences), _noise(losses), finding, key=_ALL)
    st.markdown(" ".join([_spread_of_seeds(_full(losses)), *_findings(losses)]))


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


def _findings(losses: dict[str, float]) -> list[str]:
    """Return the main findings, each only where its numbers are there."""
    found = []
    if {"one-head", "eight-heads"} <= set(losses):
        found.append(
            f"With one head the loss is {losses['one-head']:.3f}, with eight"
            f" {losses['eight-heads']:.3f}, at the same width and number of parameters: the heads"
            " share the width, so more of them are narrower."
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
            f"A lower learning rate hardly helps: without residual, {rates[1]} instead of"
            f" {rates[0]} ends at {losses['no-residual-low-rate']:.2f}, still about the loss of a"
            " unigram model. So it is not the size of the steps that fails."
        )
    return found


def _provenance() -> str:
    found, training = results(), TRAINING
    record, facts = found.trainings["full"], found.provenance
    config = record.config
    n_characters = training.steps * training.batch * training.window
    return (
        f"{len(found.trainings)} trainings · width {config['width']}, {config['layers']} or 8 layers,"
        f" context {config['context']}, {record.parameters:,} parameters (full model, 4 layers) ·"
        f" {training.steps:,} steps of {training.batch} x {training.window} characters,"
        f" {n_characters / 1e6:.2f} M seen · AdamW, learning rate {training.learning_rate:g} unless stated ·"
        f" {training.dtype} · seed {training.seed} · evaluated on the last tenth of the book, in cold"
        f" windows of {config['context']} · {facts['device']}, {duration(facts['seconds'])} in all, on"
        f" a shared machine · {facts['date'][:10]}"
    )
