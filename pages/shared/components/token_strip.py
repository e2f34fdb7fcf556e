"""A written text, token by token: how probable each was, and a way back to any of them."""

from collections.abc import Sequence

from lm_core.errors import TextError
from pages.shared.components import component
from pages.shared.ui.text_input import TEXT_CHARACTERS

_STRIP = component("token_strip")


def token_strip(
    tokens: Sequence[str],
    probabilities: Sequence[float | None],
    *,
    key: str,
    prompt_length: int = 0,
    copied: Sequence[tuple[int, int]] = (),
    picked: Sequence[int] = (),
    unit: str = "character",
    label: str = "The text, piece by piece",
    click_hint: str | None = None,
    typewriter_ms: int = 0,
    follow: bool = True,
) -> int | None:
    """Draw a text as clickable tokens, and return the one that was just clicked, if any.

    A token is tinted the more, the more probable it was; pointing at it or reaching it by
    keyboard reads out its probability and its surprisal in bits.

    Parameters
    ----------
    tokens : sequence of str
        Characters or parts of words, at most `TEXT_CHARACTERS`, the prompt included.
    probabilities : sequence of float in [0, 1] or None, one per token
        None where the model did not choose (the prompt).
    key : str
        Keeps the strip in place while the text grows.
    prompt_length : int
        So many tokens at the start are the visitor's.
    copied : sequence of (start, length)
        Stretches of tokens, underlined and marked "copied", with their length in characters; they
        do not overlap.
    picked : sequence of int
        Tokens chosen by hand.
    unit : str
        What a token is called: ``character`` or ``token``.
    label : str
        Names the strip for screen readers.
    click_hint : str, optional
        Shown while nothing is pointed at.
    typewriter_ms : int
        Over so many milliseconds a new tail appears letter by letter; 0 shows it at once.
    follow : bool
        Whether a text that outgrows the strip is scrolled to its end, if it was there before.

    Returns
    -------
    int or None
        Index of the clicked token, for this one run.

    Raises
    ------
    TextError
        If the text is too long.
    ValueError
        If there is not one probability per token.
    """
    if len(tokens) > TEXT_CHARACTERS:
        raise TextError(
            f"a strip holds at most {TEXT_CHARACTERS:,} {unit}s, got {len(tokens):,}: show its end"
        )
    if len(probabilities) != len(tokens):
        raise ValueError(
            f"one probability per {unit}: {len(tokens)} {unit}s, {len(probabilities)} probabilities"
        )
    result = _STRIP(
        key=key,
        data={
            "tokens": list(tokens),
            "unit": unit,
            "probabilities": [None if p is None else round(float(p), 6) for p in probabilities],
            "prompt_length": prompt_length,
            "copied": [[int(start), int(length)] for start, length in copied],
            "picked": [int(index) for index in picked],
            "label": label,
            "click_hint": click_hint
            or f"Point at a {unit} for its probability; click it to go back to it.",
            "typewriter_ms": typewriter_ms,
            "follow": follow,
        },
        on_clicked_change=lambda: None,
    )
    return None if result.clicked is None else int(result.clicked)
