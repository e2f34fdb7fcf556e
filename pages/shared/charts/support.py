"""Translations word by word: which words the input supports, how certain the model was, what is kept."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import altair as alt
import pyarrow as pa

from pages.shared.charts.drawing import Drawing, filled, specification
from pages.shared.charts.palette import BLUE, GREEN, GREY, GUESS, VERMILLION, numbered
from pages.shared.charts.predictions import percentage

SUPPORTED, INVENTED, MASKED = "supported", "invented", "masked"
_GUESSED, _NOW, _KEPT = "guess", "now", "kept"
_COLOURS = (GREEN, VERMILLION, GREY)
_END = "(end)"
_GAP = 0.14
"""Between two words, of the width of one."""
_ROW = 28
"""Height of a bar with its gap, in pixels."""


def support_table(
    rows: Sequence[tuple[int, Sequence[tuple[str, float, bool]]]],
    *,
    is_masked: bool = False,
    now: int | None = None,
    guess: int | None = None,
) -> pa.Table:
    """Return one row for each word of the translations of a growing sentence, and for the marks.

    Parameters
    ----------
    rows : sequence of (int, words)
        By the length of the English sentence in words: the translation's words with the support of each, from
        0 to 1, and whether it is invented; the end is an empty word.
    is_masked : bool
        Whether the answer waits: all words are drawn alike.
    now, guess : int, optional
        Of which length the row is marked, and that which a visitor expected.

    Returns
    -------
    Table
        Columns kind, length, start, end, word, support and said.
    """
    found: list[tuple[Any, ...]] = []
    for length, words in rows:
        for place, (word, support, is_invented) in enumerate(words):
            kind = MASKED if is_masked else INVENTED if is_invented else SUPPORTED
            end = place + 1 - _GAP
            shown = None if is_masked else support
            found.append((kind, length, float(place), end, word or _END, shown, ""))
    longest = max((len(words) for _, words in rows), default=1)
    for kind, marked, said in ((_NOW, now, ""), (_GUESSED, guess, GUESS)):
        if marked is not None:
            found.append((kind, marked, -0.3, longest + 0.3, "", None, said))
    names = ("kind", "length", "start", "end", "word", "support", "said")
    return pa.table(dict(zip(names, zip(*found, strict=True), strict=True)))


def support_map(table: pa.Table, *, longest: int, height: int = 300) -> Drawing:
    """Draw a `support_table`: a row for each length, thin marks for supported words, blocks for invented.

    Parameters
    ----------
    table : Table
    longest : int
        Words of the longest translation that is compared.
    height : int
    """
    spec = filled(_support_spec(height), longest=float(longest))
    return Drawing(spec, table, "Rows: the words of each translation, invented ones as blocks.")


@lru_cache(maxsize=8)
def _support_spec(height: int) -> dict[str, Any]:
    base = alt.Chart().encode(
        y=alt.Y(
            "length:O",
            sort="ascending",
            axis=alt.Axis(title="English words", ticks=False, domain=False, labelOverlap=True),
        ),
        x=alt.X(
            "start:Q",
            axis=alt.Axis(title="French words", grid=False, tickMinStep=5),
            scale=alt.Scale(domain=[-0.4, "$longest"], nice=False, clamp=True),
        ),
        x2="end:Q",
    )
    colour = alt.Color(
        "kind:N",
        scale=alt.Scale(domain=[SUPPORTED, INVENTED, MASKED], range=list(_COLOURS)),
        legend=None,
    )
    tooltip = [
        alt.Tooltip("word:N"),
        alt.Tooltip("support:Q", title="the transformer gives it", format=".1%"),
        alt.Tooltip("length:O", title="words of the sentence"),
    ]

    def bars(kind: str, share: float) -> alt.Chart:
        return (
            base.transform_filter(alt.datum.kind == kind)
            .mark_bar(height=alt.RelativeBandSize(share))
            .encode(color=colour, tooltip=tooltip)
        )

    def outline(kind: str, dash: list[int]) -> alt.Chart:
        return base.transform_filter(alt.datum.kind == kind).mark_bar(
            filled=False,
            stroke=GREY if kind == _NOW else VERMILLION,
            strokeWidth=1.5,
            strokeDash=dash,
            height=alt.RelativeBandSize(1.0),
        )

    said = (
        base.transform_filter(alt.datum.kind == _GUESSED)
        .mark_text(align="right", dx=-4)
        .encode(x="end:Q", text="said:N")
    )
    drawn = [
        bars(MASKED, 0.3),
        bars(SUPPORTED, 0.3),
        bars(INVENTED, 0.86),
        outline(_NOW, [1, 0]),
        outline(_GUESSED, [4, 3]),
        said,
    ]
    return specification(alt.layer(*drawn).properties(height=height))


# Certainty ------------------------------------------------------------------------------------


def certainty_table(
    words: Sequence[str],
    certainties: Sequence[float],
    supports: Sequence[float],
    invented: Sequence[bool],
    *,
    is_masked: bool = False,
    guess: float | None = None,
) -> pa.Table:
    """Return one row for each word, and one for a guess: word (numbered), certainty, support, kind.

    Parameters
    ----------
    words : sequence of str
        The end is empty.
    certainties, supports : sequence of float in [0, 1]
        The model's own probability of each word, and that which another gives it.
    invented : sequence of bool
    is_masked : bool
        Whether the certainty of the invented words waits for a guess.
    guess : float, optional
        The certainty that a visitor expected of them.
    """
    kinds = [INVENTED if is_invented else SUPPORTED for is_invented in invented]
    if is_masked:
        kinds = [MASKED if kind == INVENTED else kind for kind in kinds]
    shown = [None if kind == MASKED else own for kind, own in zip(kinds, certainties, strict=True)]
    rows: list[tuple[Any, ...]] = [
        *zip(numbered([word or _END for word in words]), shown, supports, kinds, strict=True)
    ]
    if guess is not None:
        rows.append(("", guess, None, _GUESSED))
    names = ("word", "certainty", "support", "kind")
    return pa.table(dict(zip(names, zip(*rows, strict=True), strict=True)))


def certainty_bars(table: pa.Table, *, height: int = 190) -> Drawing:
    """Draw a `certainty_table`: bars for the model's certainty, ticks for the support of the word."""
    return Drawing(
        _certainty_spec(height),
        table,
        "Bars: how certain the model was of each word; ticks: how far it is supported.",
    )


@lru_cache(maxsize=8)
def _certainty_spec(height: int) -> dict[str, Any]:
    x = alt.X(
        "word:N",
        sort=None,
        axis=alt.Axis(
            title=None,
            ticks=False,
            labelAngle=-50,
            labelFontSize=alt.ExprRef("clamp(0.75 * bandwidth('x'), 8, 15)"),  # on a phone, too
            labelOverlap=False,
            labelExpr="slice(datum.label, indexof(datum.label, ' ') + 1)",
        ),
    )
    base = alt.Chart().transform_filter(alt.datum.kind != _GUESSED).encode(x=x)
    y = alt.Axis(title="probability", format=".0%", tickCount=3)
    scale = alt.Scale(domain=[0, 1])
    certainty = alt.Y("certainty:Q", axis=y, scale=scale)
    tooltip = [
        alt.Tooltip("word:N"),
        alt.Tooltip("certainty:Q", title="the model itself", format=".1%"),
        alt.Tooltip("support:Q", title="the transformer", format=".1%"),
    ]
    words = base.mark_rule(opacity=0)  # all of them in their order, also those that wait
    bars = base.mark_bar(width=alt.RelativeBandSize(0.7)).encode(
        y=certainty,
        color=alt.Color(
            "kind:N",
            scale=alt.Scale(domain=[SUPPORTED, INVENTED], range=list(_COLOURS[:2])),
            legend=None,
        ),
        tooltip=tooltip,
    )
    ticks = base.mark_tick(thickness=3, width=alt.RelativeBandSize(0.95), color=GREY).encode(
        y=alt.Y("support:Q", scale=scale), tooltip=tooltip
    )
    crosses = (
        base.transform_filter(alt.datum.kind == INVENTED)
        .mark_text(dy=-7, text="×", fontWeight="bold", baseline="bottom")
        .encode(y=certainty)
    )
    asked = (
        base.transform_filter(alt.datum.kind == MASKED)
        .mark_text(text="?", fontWeight="bold", baseline="middle")
        .encode(y=alt.datum(0.5))
    )
    guessed = alt.Chart().transform_filter(alt.datum.kind == _GUESSED).encode(y=certainty)
    line = guessed.mark_rule(color=VERMILLION, strokeDash=[4, 3], strokeWidth=2)
    said = guessed.mark_text(align="left", baseline="bottom", dx=4, dy=-2, text=GUESS).encode(
        x=alt.value(0)
    )
    layers = (words, bars, ticks, crosses, asked, line, said)
    return specification(alt.layer(*layers).properties(height=height))


# Words kept -----------------------------------------------------------------------------------


def kept_table(
    shares: Mapping[str, float], *, asked: str, is_masked: bool = False, guess: float | None = None
) -> pa.Table:
    """Return one row for each model, and one for a guess: model, share, kind.

    Parameters
    ----------
    shares : mapping of str to float in [0, 1]
        Of its words that each model has kept.
    asked : str
        The model that is asked about.
    is_masked : bool
        Whether its share waits for a guess.
    guess : float, optional
        The share that a visitor expected of it.
    """
    rows: list[tuple[Any, ...]] = [
        (model, None if is_masked and model == asked else share, _KEPT)
        for model, share in shares.items()
    ]
    if guess is not None:
        rows.append((asked, guess, _GUESSED))
    return pa.table(dict(zip(("model", "share", "kind"), zip(*rows, strict=True), strict=True)))


def kept_bars(table: pa.Table) -> Drawing:
    """Draw a `kept_table`: a bar with its percentage for each model, a mark for the guess."""
    height = 8 + _ROW * len(set(table["model"].to_pylist()))
    return Drawing(_kept_spec(height), table, "Bars: the share of its words that each model keeps.")


def kept_in_words(table: pa.Table) -> str:
    """Return the numbers of a `kept_table` as a sentence, for who cannot see them."""
    said = (
        f"{row['model']}: {'?' if row['share'] is None else percentage(row['share'])}"
        + (f" ({GUESS})" if row["kind"] == _GUESSED else "")
        for row in table.to_pylist()
    )
    return f"Words kept. {'; '.join(said)}."


@lru_cache(maxsize=8)
def _kept_spec(height: int) -> dict[str, Any]:
    scale = alt.Scale(domain=[0, 1.6], nice=False)
    x = alt.X("share:Q", axis=None, scale=scale)
    axis = alt.Axis(title=None, ticks=False, domain=False, labelOverlap=False)
    y = alt.Y("model:N", sort=None, axis=axis)
    base = alt.Chart().encode(y=y)
    models = base.mark_rule(opacity=0)  # all of them in their order, also the one that waits
    kept = base.transform_filter(alt.datum.kind == _KEPT)
    bars = kept.mark_bar(color=BLUE, height=alt.RelativeBandSize(0.62)).encode(
        x=x, tooltip=["model:N", alt.Tooltip("share:Q", format=".0%")]
    )
    texts = kept.mark_text(align="left", dx=5).encode(
        x=alt.X("place:Q", axis=None, scale=scale), text="said:N"
    )
    texts = texts.transform_calculate(
        place="datum.share === null ? 0 : datum.share",
        said="(datum.share === null ? '?' : format(datum.share, '.0%')) + ' kept'",
    )
    guessed = (
        base.transform_filter(alt.datum.kind == _GUESSED)
        .mark_tick(color=VERMILLION, thickness=3, height=alt.RelativeBandSize(0.95))
        .encode(x=x, tooltip=alt.value(GUESS))
    )
    return specification(alt.layer(models, bars, texts, guessed).properties(height=height))
