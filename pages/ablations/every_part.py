"""What each part contributes: the loss on unseen text without it, compared with the full model's."""

import streamlit as st

from lm_core.experiments.ablations.variants import COMPARISONS, MODERN, TRAINING, VARIANTS
from pages.ablations.all_models import ALL, RANKS, draw_all_models
from pages.ablations.comparison import models_control
from pages.ablations.curve_choice import results, without_residual
from pages.ablations.differences import as_guessed, difference_frame, draw_differences
from pages.ablations.modern_parts import MODERN_PARTS
from pages.shared import page
from pages.shared.charts.comparisons import picked_model
from pages.shared.ui.times import duration

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


def take_clicked_model() -> None:
    """Open the curves and texts of the model whose bar was clicked; call it before the controls are drawn."""
    for key in (RANKS, ALL):
        clicked = picked_model(st.session_state.get(key, {}).get("selection", {}))
        for comparison, (first, *others) in COMPARISONS.items():
            for name in others:
                if clicked in (VARIANTS[name].title, as_guessed(VARIANTS[name].title)):
                    st.session_state["ablation"] = comparison
                    st.session_state[models_control(comparison)] = [first, name]
        if clicked in [VARIANTS[name].title for name in MODERN]:
            st.session_state["ablation"] = MODERN_PARTS


def every_part(screen: page.FirstScreen) -> None:
    """Draw how far each model ends above the full one, the largest bar asked for; then explain it."""
    found = results()
    ranked = found.above_full(name for name in _SINGLE if name in found.trainings)
    asked = _ask(screen, ranked, found.losses)
    page.note_beside(
        screen,
        "Every model learned from the same characters in the same order. A bar says how much higher its"
        " loss is without that part, on pages that no model saw. Inside the grey band a bar says little,"
        " because another seed changes the loss as much. Tap a bar to see how that model learned and what"
        " it writes.",
    )
    with screen.picture:
        _ranked(ranked, found.noise, asked)
    if not asked.masks and not page.is_presenting():
        draw_all_models(found)
    st.caption(_provenance())


# The question ---------------------------------------------------------------------------------


def _ask(
    screen: page.FirstScreen, ranked: dict[str, float], losses: dict[str, float]
) -> page.Asked[str]:
    """Ask for the bar of the residual connection."""
    answers = _answers(ranked)
    found, others = _apart(ranked)
    bars = {said: others[name] for said, name in answers.items() if name}
    is_far = found > _TWICE * max(others.values())
    return page.ask(
        screen,
        "ranked",
        "The *residual connection* lets a block add to its input instead of replacing it. How far above"
        " the full model does the model without it end?",
        answers,
        right=_FAR if is_far else page.nearest_answer(found, bars),
        reason=f"It ends **{found:.2f}** nats per character above, at {losses[_ASKED]:.2f}. "
        + without_residual(),
    )


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


def _ranked(ranked: dict[str, float], noise: float, asked: page.Asked[str]) -> None:
    found, others = _apart(ranked)
    worst = max(others, key=others.__getitem__)
    beside = f"{VARIANTS[worst].title} {others[worst]:.2f} above the full model's"
    ends = "?" if asked.masks else f" {found:.2f}"
    finding = f"Loss on pages never seen: {beside}; {VARIANTS[_ASKED].title}{ends}"
    shown: dict[str, float | None] = {**ranked}
    if asked.masks:
        shown[_ASKED] = None
    guessed = asked.answers[asked.guess] if asked.guess else ""
    st.markdown(f"**{finding}**")
    draw_differences(difference_frame(shown, guessed), noise, finding, key=RANKS)


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
