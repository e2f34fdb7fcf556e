"""What the class predicts about each comparison, and which curves wait for it."""

from collections.abc import Callable
from typing import NamedTuple

from lm_core.experiments.ablations.variants import VARIANTS
from pages.ablations.curve_choice import final_loss, results, without_residual
from pages.ablations.training_curves import CHANCE
from pages.shared import page


class Question(NamedTuple):
    """One question."""

    name: str  # as a link reveals it
    text: str
    # returns the answers, each with the loss that it stands for; None for none
    options: Callable[[], dict[str, float | None]]
    # returns the right one of the answers, and the reason in Markdown
    answer: Callable[[], tuple[str, str]]
    # variants whose curves wait for a guess; the last guess is drawn where theirs would end
    hidden: tuple[str, ...]


def ask(screen: page.FirstScreen, question: Question) -> page.Asked[float | None]:
    """Ask, and once it is revealed say what is right."""
    right, reason = question.answer()
    return page.ask(
        screen, question.name, question.text, question.options(), right=right, reason=reason
    )


def guesses(asked: page.Asked[float | None]) -> page.Guesses | None:
    """Return where guesses of the last loss stand; those that name no loss have no place."""
    last = results().snapshot_steps[-1]
    return asked.at(lambda loss: None if loss is None else (last, loss))


# Mask -----------------------------------------------------------------------------------------

_NEAR_0 = "Near 0"


def _mask_options() -> dict[str, float | None]:
    full = final_loss("full")
    return {
        _NEAR_0: 0.0,
        f"As the full model's, {full:.1f}": full,
        f"Near chance, {CHANCE}": CHANCE,
    }


def _mask_answer() -> tuple[str, str]:
    return _NEAR_0, (
        f"At **{final_loss('no-mask'):.2f}**, and the full model's at {final_loss('full'):.2f}. It only"
        " copies the character ahead, which attention can reach without the mask. When it generates,"
        " nothing is ahead yet, so it writes nonsense."
    )


# Residual and norm ----------------------------------------------------------------------------

_REMOVED = {"No residual": "no-residual", "No norm": "no-norm"}
_ALIKE = "Both alike"


def _residual_answer() -> tuple[str, str]:
    right = max(_REMOVED, key=lambda option: final_loss(_REMOVED[option]))
    losses = ", ".join(
        f"{option.lower()} {final_loss(name):.2f}" for option, name in _REMOVED.items()
    )
    return right, (
        f"The losses are: {losses}, full model {final_loss('full'):.2f}. " + without_residual()
    )


# Depth ----------------------------------------------------------------------------------------

_DEPTHS = ("Lower", "As high", "Higher")


def _depth_answer() -> tuple[str, str]:
    shallow, deep = final_loss("neither"), final_loss("deep-neither")
    right = (
        _DEPTHS[2] if deep > shallow + 0.1 else _DEPTHS[0] if deep < shallow - 0.1 else _DEPTHS[1]
    )
    return right, (
        f"At **{deep:.2f}**; with 4 layers {shallow:.2f}. To the full model depth makes little difference:"
        f" {final_loss('deep'):.2f} with 8 layers, {final_loss('full'):.2f} with 4. So without both the"
        f" loss is higher by {deep - final_loss('deep'):.2f} with 8 layers and by"
        f" {shallow - final_loss('full'):.2f} with 4. Each of these models was trained once, so small"
        " differences say nothing."
    )


# Positions, heads, layers ---------------------------------------------------------------------

_PARTS = {"Positions": "no-positions", "Heads": "one-head", "Layers": "one-layer"}


def _parts_answer() -> tuple[str, str]:
    right = max(_PARTS, key=lambda option: final_loss(_PARTS[option]))
    losses = ", ".join(f"{VARIANTS[name].title} {final_loss(name):.2f}" for name in _PARTS.values())
    return right, (
        f"The losses are: {losses}; that of the full model is {final_loss('full'):.2f}. Without"
        " positions only the mask tells the order of the characters, because an average has"
        " none."
    )


QUESTIONS = {
    "Mask": Question(
        "mask",
        "Both models learned the same text. One was trained without the *causal mask*, so it may look"
        " at the very character that it has to predict. Where does its training loss end?",
        _mask_options,
        _mask_answer,
        ("no-mask",),
    ),
    "Residual and norm": Question(
        "residual",
        "*Residual*: a block adds to its input. *Norm*: numbers are scaled before each block. Which does"
        " the training miss more?",
        lambda: dict.fromkeys((*_REMOVED, _ALIKE)),
        _residual_answer,
        ("no-residual", "no-residual-low-rate", "no-norm"),
    ),
    "8 layers": Question(
        "depth",
        "Without residual and norm, 4 layers end above the full model. Where do 8 layers without both"
        " end, compared with 4?",
        lambda: dict.fromkeys(_DEPTHS),
        _depth_answer,
        ("deep-neither",),
    ),
    "Positions, heads, layers": Question(
        "parts",
        "Which does the model miss most: its positions, all but one of its 4 heads, or all but one of its"
        " 4 layers?",
        lambda: dict.fromkeys(_PARTS),
        _parts_answer,
        ("no-positions", "one-head", "one-layer"),
    ),
}
"""By comparison."""
