"""A written text, character by character: how probable each was, and a way back to any of them."""

from collections.abc import Sequence

from pages.shared.components import component
from pages.shared.limits import TEXT_CHARACTERS, checked_text

_STRIP = component("token_strip")


def token_strip(
    characters: str,
    probabilities: Sequence[float | None],
    *,
    key: str,
    prompt_length: int = 0,
    copied: Sequence[tuple[int, int]] = (),
    picked: Sequence[int] = (),
    label: str = "The text, character by character",
    click_hint: str = "Point at a character for its probability; click it to go back to it.",
    typewriter_ms: int = 0,
    follow: bool = True,
) -> int | None:
    """Draw a text as clickable characters, and return the one that was just clicked, if any.

    A character is tinted the more, the more probable it was; pointing at it or reaching it by
    keyboard reads out its probability and its surprisal in bits.

    Parameters
    ----------
    characters : str
        At most `TEXT_CHARACTERS` long, the prompt included.
    probabilities : sequence of float in [0, 1] or None, one per character
        None where the model did not choose (the prompt).
    key : str
        Keeps the strip in place while the text grows.
    prompt_length : int
        So many characters at the start are the visitor's.
    copied : sequence of (start, length)
        Stretches underlined and marked "copied, LENGTH"; they do not overlap.
    picked : sequence of int
        Characters chosen by hand.
    label : str
        Names the strip for screen readers.
    click_hint : str
        Shown while no character is pointed at.
    typewriter_ms : int
        Over so many milliseconds a new tail appears letter by letter; 0 shows it at once.
    follow : bool
        Whether a text that outgrows the strip is scrolled to its end, if it was there before.

    Returns
    -------
    int or None
        Index of the clicked character, for this one run.

    Raises
    ------
    TextError
        If the text is too long.
    ValueError
        If there is not one probability per character.
    """
    checked_text(characters, most=TEXT_CHARACTERS)
    if len(probabilities) != len(characters):
        raise ValueError(
            f"one probability per character: {len(characters)} characters,"
            f" {len(probabilities)} probabilities"
        )
    result = _STRIP(
        key=key,
        data={
            "characters": characters,
            "probabilities": [None if p is None else round(float(p), 6) for p in probabilities],
            "prompt_length": prompt_length,
            "copied": [[int(start), int(length)] for start, length in copied],
            "picked": [int(index) for index in picked],
            "label": label,
            "click_hint": click_hint,
            "typewriter_ms": typewriter_ms,
            "follow": follow,
        },
        on_clicked_change=lambda: None,
    )
    return None if result.clicked is None else int(result.clicked)
