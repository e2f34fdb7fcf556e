"""A translation's words and the sentence's, joined by the weights between them: as a map, or as arcs."""

from collections.abc import Sequence

import numpy as np

from pages.shared.server.component import component
from pages.shared.ui.appearance import chart_style
from pages.shared.ui.controls import is_presenting

MAP, ARCS = "Map", "Arcs"
_ALIGNMENT = component("alignment", "pictures", "hints")
_LEAST_TEXT = 13
_LARGEST_TEXT = 22


def alignment_picture(
    weights: np.ndarray,
    target: Sequence[str],
    source: Sequence[str],
    *,
    key: str,
    label: str,
    name: str,
    view: str = MAP,
    bits: Sequence[float] = (),
    swaps: Sequence[tuple[int, int]] = (),
    masked: int | None = None,
    guess: tuple[int, int] | None = None,
    current: int | None = None,
    hint: str = "Point at a word, on either side, or tap it: what it looks at, or what looks at it.",
) -> None:
    """Draw which words of a translation look at which words of the sentence.

    Parameters
    ----------
    weights : ndarray of shape (T, S) in [0, 1]
    target, source : sequences of T and S str, an empty one is the sentence's end
    label : str, names the picture for screen readers
    name : str, of the exported files, without ending
    view : str, `MAP` or `ARCS`
    bits : sequence of T float, entropy of each row, drawn beside it
    swaps : sequence of (row, column), upper left cells of pairs that are marked with a rim
    masked : int, the row whose weights wait for a guess; it is not sent to the browser either
    guess : (row, column), where a visitor expected the largest weight of a row
    current : int, the row of the word that is being written
    hint : str, shown while nothing is pointed at
    """
    rows = np.asarray(weights, float).round(4).tolist()
    entropies = [round(float(entropy), 3) for entropy in bits]
    if masked is not None:
        rows[masked] = [0.0] * len(source)
        entropies = [0.0 if i == masked else entropy for i, entropy in enumerate(entropies)]
    _ALIGNMENT(
        key=key,
        data={
            "weights": rows,
            "target": list(target),
            "source": list(source),
            "bits": entropies,
            "swaps": [list(swap) for swap in swaps],
            "masked": -1 if masked is None else masked,
            "guess": None if guess is None else list(guess),
            "current": -1 if current is None else current,
            "view": view.lower(),
            "label": label,
            "name": name,
            "hint": hint,
            "text_size": min(_LARGEST_TEXT, max(_LEAST_TEXT, chart_style().text_size)),
            "fills": is_presenting(),
        },
    )
