"""Tags of words: how probable each is for each word of a sentence, and which are confused."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import BLUE, GREY, GUESS, VERMILLION, numbered

_WHITE = "#ffffff"
_STRONGEST = 0.72
"""Of a cell's colour: what is written on it is legible on paper of either theme."""
"""From this share of the full colour on, numbers are written in white."""
_MOST_WRITTEN = 20  # in longer sentences the cells have no room for numbers
_MOST_NAMED = 30  # of more words some have no name below their column
_NARROW = 520  # pixels below which the matrix of confusions has no room for long numbers
_ASKED = "?"
RIGHT, COUNTED = "right", "counting"
"""Columns beside the confusions: how often a tag is right, here and by counting."""

# Sentences ------------------------------------------------------------------------------------


def tag_table(
    sentences: Sequence[Sequence[str]],
    tags: Sequence[str],
    probabilities: Sequence[np.ndarray],
    frequent: Sequence[Sequence[int]],
    marked: Sequence[int | None],
) -> pa.Table:
    """Return one row for each word and tag of one sentence or several, side by side.

    Parameters
    ----------
    tags : sequence of K str
    probabilities : sequence of ndarray of shape (T, K), of each sentence
    frequent : sequence of sequence of int, the tag that each word has most often, by counting
    marked : sequence of int or None, place of the word in each sentence that the page is about

    Returns
    -------
    Table
        Columns word (numbered; an empty one between two sentences), tag, probability, text,
        is_frequent, is_marked, is_gap, frequent (the word's most frequent tag).
    """
    words: list[str] = []
    rows: list[tuple[np.ndarray | None, int, bool]] = []
    for sentence, found, most_frequent, place in zip(
        sentences, probabilities, frequent, marked, strict=True
    ):
        if words:
            words.append("")
            rows.append((None, -1, False))
        words += sentence
        rows += [(found[i], most_frequent[i], i == place) for i in range(len(sentence))]
    is_written = len(words) <= _MOST_WRITTEN
    cells = []
    for name, (distribution, by_count, is_marked) in zip(numbered(words), rows, strict=True):
        best = -1 if distribution is None else int(distribution.argmax())
        for i, tag in enumerate(tags):
            share = 0.0 if distribution is None else float(distribution[i])
            text = f"{100 * share:.0f}" if i == best and is_written else ""
            is_gap = distribution is None
            often = "" if is_gap else tags[by_count]
            cells.append((name, tag, share, text, i == by_count, is_marked, is_gap, often))
    return table_of_rows(_TAG_COLUMNS, cells)


_TAG_COLUMNS = (
    *("word", "tag", "probability", "text"),
    *("is_frequent", "is_marked", "is_gap", "frequent"),
)


def tag_map(table: pa.Table, *, height: int = 300) -> Drawing:
    """Draw a `tag_table`: a column for each word, a row for each tag, the stronger its colour, the more probable.

    Each word's most frequent tag is underlined; marked words are outlined. A column can be clicked: the selection
    is ``pick``.
    """
    n_words = len(set(table["word"].to_pylist()))
    tags = list(dict.fromkeys(table["tag"].to_pylist()))
    words = {
        "title": None,
        "labelAngle": -40,
        "labelOverlap": "greedy" if n_words > _MOST_NAMED else False,
        "labelExpr": vl.UNNUMBERED,
        **vl.BARE,
    }
    column = {"x": vl.field("word:N", sort=None, axis=words)}
    names = {"title": None, "labelOverlap": False, "labelFlush": False, **vl.BARE}
    place = column | {"y": vl.field("tag:N", scale={"domain": tags}, axis=names)}
    tooltip = {
        "tooltip": [
            *("word:N", "tag:N", "probability:Q .1%"),
            vl.field("frequent:N", title="most often"),
        ]
    }
    shades = {"domain": [0, 1], "range": [0.04, _STRONGEST]}
    share = {"opacity": vl.field("probability:Q", scale=shades, legend=None)}
    told = "!datum.is_gap"
    cells = vl.mark("rect", place, share, tooltip, when=told, color=BLUE, cursor="pointer")
    size = vl.expression(f"clamp(0.5 * width / {n_words}, 5, 24)")
    line: vl.Spec = {
        "orient": "horizontal",
        "color": VERMILLION,
        "stroke": _WHITE,
        "strokeWidth": 0.8,
        "thickness": 4,
        "width": {"band": 0.84},
        "yOffset": vl.expression(f"height / {2 * len(tags)} - 2.5"),
    }
    spec = vl.layered(
        vl.mark("rect", place, opacity=0),  # holds the place of the empty column
        vl.clickable(cells, "pick", "word"),
        vl.outlined(place, when=told, colour=GREY, strokeWidth=0.3),
        vl.mark("text", place, {"text": "text:N"}, when=told, fontSize=size, baseline="middle"),
        vl.mark("tick", place, tooltip, when=f"{told} && datum.is_frequent", **line),
        vl.outlined(column, when="datum.is_marked"),
        height=height,
    )
    return Drawing(spec, table, "Cells: how probable each tag is for each word of the sentence.")


def picked_column(selection: Mapping[str, Any]) -> int | None:
    """Return the number of the column that was clicked in a `tag_map`, if any."""
    points = selection.get("pick") or []
    return int(str(points[0]["word"]).partition(" ")[0]) if points and "word" in points[0] else None


# Confusions -----------------------------------------------------------------------------------


def confusion_table(
    counts: np.ndarray,
    tags: Sequence[str],
    counting: np.ndarray,
    words: Mapping[tuple[int, int], Sequence[tuple[str, int]]],
    *,
    is_masked: bool = False,
    chosen: tuple[int, int] | None = None,
    guess: tuple[int, int] | None = None,
) -> pa.Table:
    """Return one row for each tag and predicted tag, and two for how often a tag is right.

    Parameters
    ----------
    counts : int ndarray of shape (K, K), how often each tag, a row, was given each tag, a column
    tags : sequence of K str
    counting : int ndarray of shape (K, K), the same for the most frequent tag of each word
    words : mapping of (tag, predicted) to pairs of str and int, words that were confused, and how often
    is_masked : bool, whether the confusions wait for a guess
    chosen, guess : pair of int, optional
        The cell that is looked at, or chosen so far, and the one that a visitor has guessed.

    Returns
    -------
    Table
        Columns tag, predicted, count, counting, share (of the row), shade, text, short (the text where
        there is little room), words, kind, is_chosen and guess.
    """
    totals = np.maximum(counts.sum(1), 1)
    shares = counts / totals[:, None]
    wrong = np.sqrt(np.where(np.eye(len(tags), dtype=bool), 0, shares))
    shades = wrong / max(float(wrong.max()), 1e-9)
    cells: list[tuple[Any, ...]] = []
    for i, tag in enumerate(tags):
        for j, predicted in enumerate(tags):
            is_hidden = is_masked and i != j
            named = ", ".join(f"{word} {n}" for word, n in words.get((i, j), ()))
            kind = "diagonal" if i == j else "wrong"
            at = (kind, (i, j) == chosen, GUESS if guess == (i, j) else "")
            if is_hidden:
                cells.append((tag, predicted, None, None, None, 0.0, _ASKED, _ASKED, "", *at))
                continue
            count, by_counting = int(counts[i, j]), int(counting[i, j])
            shade = 0.0 if i == j else float(shades[i, j])
            texts = (_written_count(count, 1), "" if i == j else _written_count(count, 0))
            numbers = (count, by_counting, float(shares[i, j]), shade)
            cells.append((tag, predicted, *numbers, *texts, named, *at))
        for name, of in ((RIGHT, counts), (COUNTED, counting)):
            right = float(of[i, i] / max(int(of[i].sum()), 1))
            texts = (f"{100 * right:.1f}", f"{100 * right:.0f}")
            cells.append((tag, name, None, None, right, 0.0, *texts, "", "share", False, ""))
    return table_of_rows(_CONFUSION_COLUMNS, cells)


def _written_count(count: int, digits: int) -> str:
    """Return a count, from a thousand on in thousands with so many decimals; nothing for 0."""
    return str(count or "") if count < 1_000 else f"{count / 1_000:.{digits}f}k"


_CONFUSION_COLUMNS = (
    *("tag", "predicted", "count", "counting", "share", "shade", "text", "short", "words"),
    *("kind", "is_chosen", "guess"),
)


def confusion_matrix(table: pa.Table, *, height: int = 340) -> Drawing:
    """Draw a `confusion_table`: rows are the tags of the corpus, columns those that were predicted.

    A click on a cell is the selection ``cell``, with its tag and predicted tag.
    """
    tags = list(dict.fromkeys(table["tag"].to_pylist()))
    above = {
        "title": "predicted tag; right, and right by counting, in %",
        "orient": "top",
        "labelAngle": vl.expression(f"width < {_NARROW} ? -90 : -40"),  # upright none hides another
        "labelOverlap": False,
        **vl.BARE,
    }
    beside = {"title": "tag in the corpus", "labelOverlap": False, "labelFlush": False, **vl.BARE}
    columns = {"domain": [*tags, " ", RIGHT, COUNTED]}
    place = {
        "x": vl.field("predicted:N", scale=columns, axis=above),
        "y": vl.field("tag:N", scale={"domain": tags}, axis=beside),
    }
    is_right = "datum.kind == 'diagonal'"
    shade = vl.field("shade:Q", scale={"domain": [0, 1], "range": [0, _STRONGEST]})
    cell = {
        "color": vl.either(is_right, BLUE, VERMILLION),
        "fillOpacity": vl.either(is_right, 0.15, shade),
        "tooltip": [
            vl.field("tag:N", title="tag"),
            "predicted:N",
            "count:Q ,",
            vl.field("counting:Q", title="by counting", format=","),
            vl.field("share:Q", title="of the row", format=".2%"),
            "words:N",
        ],
    }
    is_cell = "datum.kind != 'share'"
    wrong = vl.mark("rect", place, cell, when=is_cell, stroke=GREY, strokeWidth=0.3)
    wide = vl.expression(f"width < {_NARROW} ? 0 : clamp(0.34 * width / 15, 9, 22)")
    narrow = vl.expression(f"width < {_NARROW} ? 9 : 0")
    spec = vl.layered(
        vl.clickable(wrong, "cell", "tag", "predicted"),
        vl.mark("text", place, {"text": "text:N"}, fontSize=wide, baseline="middle"),
        vl.mark("text", place, {"text": "short:N"}, fontSize=narrow, baseline="middle"),
        vl.outlined(place, when=f"{is_cell} && datum.is_chosen"),
        *vl.guessed(place, dy=-15),
        height=height,
    )
    return Drawing(spec, table, "Matrix: the corpus's tags down, predicted tags across.")
