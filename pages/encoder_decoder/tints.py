"""How the words of a translation are marked: supported by the English sentence, or invented."""

from lm_core.analysis.translation_support import JudgedWord
from pages.shared.charts.predictions import percentage
from pages.shared.components.texts import MASKED, SUPPORTED, SURPRISING, Tint

LEGEND = ((SUPPORTED, "supported by the English sentence"), (SURPRISING, "invented"))


def tint_of(word: JudgedWord, *, is_masked: bool = False, own: float | None = None) -> Tint:
    """Return how a word is marked: invented or supported; where the answer waits, neither.

    `own`: float, the probability that the model itself gave the word.
    """
    if is_masked:
        return Tint((MASKED,), 0, "supported or invented?")
    reading = f"the transformer gives it {percentage(word.probability)}"
    if word.is_in_source:
        reading += "; the English sentence has it, too"
    if own is not None:
        reading = f"the model itself gave it {percentage(own)}, {reading}"
    return Tint((SURPRISING,), 70, reading) if word.is_invented else Tint((SUPPORTED,), 22, reading)
