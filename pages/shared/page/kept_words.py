"""How many words of a translation are kept, beside the question that asks for it."""

from collections.abc import Mapping

from pages.shared.charts.support import kept_bars, kept_in_words, kept_table
from pages.shared.page.questions import Asked
from pages.shared.ui.figures import show_chart


def draw_kept_words(key: str, shares: Mapping[str, float], asked: Asked[float]) -> None:
    """Draw shares as bars; the first waits for its guess, which is drawn into it.

    `shares`: mapping of str to float in [0, 1], of its words that each has kept.
    """
    guess = asked.answers[asked.guess] if asked.guess else None
    table = kept_table(shares, asked=next(iter(shares)), is_masked=asked.masks, guess=guess)
    show_chart(
        kept_bars(table),
        key=key,
        alt=kept_in_words(table),
        name="words-kept",
        is_small=True,
        fills_screen=False,
    )
