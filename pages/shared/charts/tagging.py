"""Tags of words: how probable each is for each word of a sentence, and which are confused."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import numpy as np
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import BLUE, GREY, GUESS, VERMILLION, numbered
from pages.shared.numbers import percent

_WHITE = "#ffffff"
_DARK = 0.7
"""From this share of the full colour on, numbers are written in white."""
_MOST_WRITTEN = 20
"""In longer sentences the cells have no room for numbers."""
_MOST_NAMED = 30
"""Of more words some have no name below their column."""
_NARROW = 520
"""Pixels below which the matrix of confusions has no room for long numbers."""
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
    sentences : sequence of sequence of str
    tags : sequence of K str
    probabilities : sequence of ndarray of shape (T, K)
        Of each sentence.
    frequent : sequence of sequence of int
        The tag that each word has most often, by counting.
    marked : sequence of int or None
        Place of the word in each sentence that the page is about.

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
    columns: dict[str, list[Any]] = {name: [] for name in _TAG_COLUMNS}
    for name, (distribution, by_count, is_marked) in zip(numbered(words), rows, strict=True):
        best = -1 if distribution is None else int(distribution.argmax())
        for i, tag in enumerate(tags):
            share = 0.0 if distribution is None else float(distribution[i])
            text = percent(share) if i == best and is_written else ""
            is_gap = distribution is None
            often = "" if is_gap else tags[by_count]
            values = (name, tag, share, text, i == by_count, is_marked, is_gap, often)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
    return pa.table(columns)


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
    is_crowded = n_words > _MOST_NAMED
    spec = filled(
        _tag_spec(tuple(tags), height, is_crowded), size=f"clamp(0.33 * width / {n_words}, 5, 24)"
    )
    return Drawing(spec, table, "Cells: how probable each tag is for each word of the sentence.")


@lru_cache(maxsize=8)
def _tag_spec(tags: tuple[str, ...], height: int, is_crowded: bool) -> dict[str, Any]:
    x = alt.X(
        "word:N",
        sort=None,
        axis=alt.Axis(
            title=None,
            ticks=False,
            domain=False,
            labelAngle=-40,
            labelOverlap="greedy" if is_crowded else False,
            labelExpr="slice(datum.label, indexof(datum.label, ' ') + 1)",
        ),
    )
    y = alt.Y(
        "tag:N",
        scale=alt.Scale(domain=list(tags)),
        axis=alt.Axis(title=None, ticks=False, domain=False, labelOverlap=False, labelFlush=False),
    )
    tooltip = [
        alt.Tooltip("word:N"),
        alt.Tooltip("tag:N"),
        alt.Tooltip("probability:Q", format=".1%"),
        alt.Tooltip("frequent:N", title="most often"),
    ]
    base = alt.Chart().encode(x=x, y=y)
    told = base.transform_filter("!datum.is_gap")
    cells = (
        told.mark_rect(color=BLUE, cursor="pointer")
        .encode(
            opacity=alt.Opacity(
                "probability:Q", scale=alt.Scale(domain=[0, 1], range=[0.04, 1]), legend=None
            ),
            tooltip=tooltip,
        )
        .add_params(alt.selection_point(name="pick", fields=["word"], on="click"))
    )
    gaps = base.mark_rect(opacity=0)  # holds the place of the empty column
    frames = told.mark_rect(filled=False, stroke=GREY, strokeWidth=0.3)
    numbers = _numbers(told, "probability", "$size")
    lines = told.transform_filter("datum.is_frequent").mark_tick(
        orient="horizontal",
        color=VERMILLION,
        stroke=_WHITE,
        strokeWidth=0.8,
        thickness=4,
        width=alt.RelativeBandSize(0.84),
        yOffset=alt.ExprRef(f"height / {2 * len(tags)} - 2.5"),
    )
    outline = (
        alt.Chart()
        .transform_filter("datum.is_marked")
        .mark_rect(filled=False, stroke=VERMILLION, strokeWidth=2.5)
        .encode(x=x)
    )
    layers = [gaps, cells, frames, *numbers, lines.encode(tooltip=tooltip), outline]
    return specification(alt.layer(*layers).properties(height=height))


def picked_column(selection: Mapping[str, Any]) -> int | None:
    """Return the number of the column that was clicked in a `tag_map`, if any."""
    points = selection.get("pick") or []
    return int(str(points[0]["word"]).partition(" ")[0]) if points and "word" in points[0] else None


def _numbers(base: alt.Chart, shade: str, size: str, column: str = "text:N") -> list[alt.Chart]:
    """Return the layers that write a column: in white where a cell is dark."""
    styles: tuple[tuple[str, dict[str, Any]], ...] = ((">=", {"color": _WHITE}), ("<", {}))
    return [
        base.transform_filter(f"datum.{shade} {where} {_DARK}")
        .mark_text(fontSize=alt.ExprRef(size), baseline="middle", **colour)
        .encode(text=column)
        for where, colour in styles
    ]


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
    counts : int ndarray of shape (K, K)
        How often each tag, a row, was given each tag, a column.
    tags : sequence of K str
    counting : int ndarray of shape (K, K)
        The same for the most frequent tag of each word.
    words : mapping of (tag, predicted) to pairs of str and int
        Words that were confused, and how often.
    is_masked : bool
        Whether the confusions wait for a guess.
    chosen, guess : pair of int, optional
        The cell that is looked at, and the two tags that a visitor named, in either order.

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
    columns: dict[str, list[Any]] = {name: [] for name in _CONFUSION_COLUMNS}

    def append(*values: Any) -> None:
        for column, value in zip(columns.values(), values, strict=True):
            column.append(value)

    for i, tag in enumerate(tags):
        for j, predicted in enumerate(tags):
            is_hidden = is_masked and i != j
            count = None if is_hidden else int(counts[i, j])
            shade = 0.0 if is_hidden or i == j else float(shades[i, j])
            named = ", ".join(f"{word} {n}" for word, n in words.get((i, j), ()))
            append(
                tag,
                predicted,
                count,
                None if is_hidden else int(counting[i, j]),
                None if is_hidden else float(shares[i, j]),
                shade,
                _ASKED if is_hidden else f"{counts[i, j]:,}" if counts[i, j] else "",
                _ASKED if is_hidden else "" if i == j else _short(int(counts[i, j])),
                "" if is_hidden else named,
                "diagonal" if i == j else "wrong",
                (i, j) == chosen,
                GUESS if guess in ((i, j), (j, i)) else "",
            )
        for name, of in ((RIGHT, counts), (COUNTED, counting)):
            right = float(of[i, i] / max(int(of[i].sum()), 1))
            texts = (percent(right, 1), f"{100 * right:.0f}")
            append(tag, name, None, None, right, 0.0, *texts, "", "share", False, "")
    return pa.table(columns)


def _short(count: int) -> str:
    """Return a count in at most three signs; nothing for 0."""
    if count < 1_000:
        return str(count or "")
    return f"{count / 1_000:.0f}k"


_CONFUSION_COLUMNS = (
    *("tag", "predicted", "count", "counting", "share", "shade", "text", "short", "words"),
    *("kind", "is_chosen", "guess"),
)


def confusion_matrix(table: pa.Table, *, height: int = 340) -> Drawing:
    """Draw a `confusion_table`: rows are the tags of the corpus, columns those that were predicted.

    A click on a cell is the selection ``cell``, with its tag and predicted tag.
    """
    tags = tuple(dict.fromkeys(table["tag"].to_pylist()))
    return Drawing(
        _confusion_spec(tags, height),
        table,
        "Matrix: the corpus's tags down, predicted tags across.",
    )


@lru_cache(maxsize=8)
def _confusion_spec(tags: tuple[str, ...], height: int) -> dict[str, Any]:
    columns = [*tags, " ", RIGHT, COUNTED]
    x = alt.X(
        "predicted:N",
        scale=alt.Scale(domain=columns),
        axis=alt.Axis(
            title="predicted tag",
            orient="top",
            ticks=False,
            domain=False,
            labelAngle=alt.ExprRef(f"width < {_NARROW} ? -90 : -40"),  # upright none hides another
            labelOverlap=False,
        ),
    )
    y = alt.Y(
        "tag:N",
        scale=alt.Scale(domain=list(tags)),
        axis=alt.Axis(
            title="tag in the corpus",
            ticks=False,
            domain=False,
            labelOverlap=False,
            labelFlush=False,
        ),
    )
    base = alt.Chart().encode(x=x, y=y)
    tooltip = [
        alt.Tooltip("tag:N", title="tag"),
        alt.Tooltip("predicted:N"),
        alt.Tooltip("count:Q", format=","),
        alt.Tooltip("counting:Q", title="by counting", format=","),
        alt.Tooltip("share:Q", title="of the row", format=".2%"),
        alt.Tooltip("words:N"),
    ]
    cells = base.transform_filter("datum.kind != 'share'")
    wrong = (
        cells.mark_rect(stroke=GREY, strokeWidth=0.3)
        .encode(
            color=alt.condition("datum.kind == 'diagonal'", alt.value(BLUE), alt.value(VERMILLION)),
            fillOpacity=alt.condition(
                "datum.kind == 'diagonal'",
                alt.value(0.15),
                alt.Opacity("shade:Q", scale=alt.Scale(domain=[0, 1], range=[0, 1])),
            ),
            tooltip=tooltip,
        )
        .add_params(alt.selection_point(name="cell", fields=["tag", "predicted"], on="click"))
    )
    numbers = [
        *_numbers(base, "shade", f"width < {_NARROW} ? 0 : clamp(0.3 * width / 15, 9, 22)"),
        *_numbers(base, "shade", f"width < {_NARROW} ? 9 : 0", "short:N"),
    ]
    chosen = cells.transform_filter("datum.is_chosen").mark_rect(
        filled=False, stroke=VERMILLION, strokeWidth=2.5
    )
    guessed = cells.transform_filter("datum.guess != ''").mark_rect(
        filled=False, stroke=VERMILLION, strokeWidth=2.5, strokeDash=[4, 3]
    )
    named = (
        cells.transform_filter("datum.guess != ''")
        .mark_text(dy=-15, fontWeight="bold")
        .encode(text="guess:N")
    )
    layers = [wrong, *numbers, chosen, guessed, named]
    return specification(alt.layer(*layers).properties(height=height))
