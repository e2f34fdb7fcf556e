"""Translations word by word: which words the input supports, how certain the model was, what is kept."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows
from pages.shared.charts.palette import BLUE, GREEN, GREY, GUESS, VERMILLION, numbered
from pages.shared.charts.predictions import percentage

SUPPORTED, INVENTED, MASKED = "supported", "invented", "masked"
_GUESSED, _NOW, _KEPT = "guess", "now", "kept"
_COLOURS = (GREEN, VERMILLION, GREY)
_END = "(end)"
_GAP = 0.14  # between two words, of the width of one
_NARROW = 15
"""Pixels of a word's bar: below, slanted words would cover each other, and stand upright."""
_ROW = 28  # height of a bar with its gap, in pixels


def support_table(
    rows: Sequence[tuple[int, Sequence[tuple[str, float, bool]]]],
    *,
    is_masked: bool = False,
    now: int | None = None,
    guess: int | None = None,
) -> pa.Table:
    """Return one row for each word of the translations of a growing sentence, and for the marks.

    The result: Table, columns kind, length, start, end, word, support and said.

    Parameters
    ----------
    rows : sequence of (int, words)
        By the length of the English sentence in words: the translation's words with the support of each, from
        0 to 1, and whether it is invented; the end is an empty word.
    is_masked : bool, whether the answer waits: all words are drawn alike
    now, guess : int, of which length the row is marked, and that which a visitor expected
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
    return table_of_rows(names, found)


def support_map(table: pa.Table, *, longest: int, height: int = 300) -> Drawing:
    """Draw a `support_table`: a row for each length, thin marks for supported words, blocks for invented.

    `longest`: int, words of the longest translation that is compared.
    """
    lengths = {"title": "English words", "labelOverlap": True, **vl.BARE}
    words = {"title": "French words", "grid": False, "tickMinStep": 5}
    span = {
        "y": vl.field("length:O", sort="ascending", axis=lengths),
        "x": vl.field("start:Q", axis=words, scale=vl.scale(-0.4, float(longest), clamp=True)),
        "x2": "end",
    }
    word = {
        "color": vl.colours("kind:N", _COLOURS, (SUPPORTED, INVENTED, MASKED)),
        "tooltip": [
            "word:N",
            vl.field("support:Q", title="the transformer gives it", format=".1%"),
            vl.field("length:O", title="words of the sentence"),
        ],
    }

    def of(mark: str, kind: str, *encodings: vl.Spec, **look: Any) -> vl.Spec:
        return vl.mark(mark, *encodings, when=_is(kind), **look)

    frame: vl.Spec = {"filled": False, "strokeWidth": 1.5, "height": {"band": 1.0}}
    said = {"y": span["y"], "x": vl.field("end:Q"), "text": "said:N"}
    spec = vl.layered(
        *(
            of("bar", kind, span, word, height={"band": share})
            for kind, share in ((MASKED, 0.3), (SUPPORTED, 0.3), (INVENTED, 0.86))
        ),
        of("bar", _NOW, span, stroke=GREY, strokeDash=[1, 0], **frame),
        of("bar", _GUESSED, span, stroke=VERMILLION, strokeDash=[4, 3], **frame),
        of("text", _GUESSED, span, said, align="right", dx=-4),
        height=height,
    )
    return Drawing(spec, table, "Rows: the words of each translation, invented ones as blocks.")


def _is(kind: str) -> str:
    return f"datum.kind === '{kind}'"


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
    words : sequence of str, the end is empty
    certainties, supports : sequence of float in [0, 1]
        The model's own probability of each word, and that which another gives it.
    is_masked : bool, whether the certainty of the invented words waits for a guess
    guess : float, the certainty that a visitor expected of them
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
    return table_of_rows(names, rows)


def certainty_bars(table: pa.Table, *, height: int = 190) -> Drawing:
    """Draw a `certainty_table`: bars for the model's certainty, ticks for the support of the word."""
    names = {
        "title": None,
        "ticks": False,
        "labelAngle": vl.expression(f"bandwidth('x') < {_NARROW} ? -90 : -50"),
        "labelFontSize": vl.expression("clamp(0.75 * bandwidth('x'), 9, 15)"),  # on a phone, too
        "labelOverlap": False,
        "labelExpr": vl.UNNUMBERED,
    }
    axis = {"title": "probability", "format": ".0%", "tickCount": 3}
    whole = {"domain": [0, 1]}
    word = {"x": vl.field("word:N", sort=None, axis=names)}
    certainty = {"y": vl.field("certainty:Q", axis=axis, scale=whole)}
    support = {"y": vl.field("support:Q", scale=whole)}
    colour = {"color": vl.colours("kind:N", _COLOURS[:2], (SUPPORTED, INVENTED))}
    tooltip = {
        "tooltip": [
            "word:N",
            vl.field("certainty:Q", title="the model itself", format=".1%"),
            vl.field("support:Q", title="the transformer", format=".1%"),
        ]
    }
    a_word = f"datum.kind !== '{_GUESSED}'"
    cross: vl.Spec = {"dy": -7, "text": "×", "fontWeight": "bold", "baseline": "bottom"}
    asked: vl.Spec = {"text": "?", "fontWeight": "bold", "baseline": "middle"}
    beside: vl.Spec = {"align": "left", "baseline": "bottom", "dx": 4, "dy": -2}
    spec = vl.layered(
        # All of them in their order, also those that wait.
        vl.mark("rule", word, when=a_word, opacity=0),
        vl.mark("bar", word, certainty, colour, tooltip, when=a_word, width={"band": 0.7}),
        vl.mark(
            "tick",
            word,
            support,
            tooltip,
            when=a_word,
            thickness=3,
            width={"band": 0.95},
            color=GREY,
        ),
        vl.mark("text", word, certainty, when=_is(INVENTED), **cross),
        vl.mark("text", word, {"y": {"datum": 0.5}}, when=_is(MASKED), **asked),
        vl.mark(
            "rule",
            certainty,
            when=_is(_GUESSED),
            color=VERMILLION,
            strokeDash=[4, 3],
            strokeWidth=2,
        ),
        vl.mark("text", certainty, {"x": vl.value(0)}, when=_is(_GUESSED), text=GUESS, **beside),
        height=height,
    )
    description = "Bars: how certain the model was of each word; ticks: how far it is supported."
    return Drawing(spec, table, description)


# Words kept -----------------------------------------------------------------------------------


def kept_table(
    shares: Mapping[str, float], *, asked: str, is_masked: bool = False, guess: float | None = None
) -> pa.Table:
    """Return one row for each model, and one for a guess: model, share, kind.

    Parameters
    ----------
    shares : mapping of str to float in [0, 1], of its words that each model has kept
    asked : str, the model that is asked about
    is_masked : bool, whether its share waits for a guess
    guess : float, the share that a visitor expected of it
    """
    rows: list[tuple[Any, ...]] = [
        (model, None if is_masked and model == asked else share, _KEPT)
        for model, share in shares.items()
    ]
    if guess is not None:
        rows.append((asked, guess, _GUESSED))
    return table_of_rows(("model", "share", "kind"), rows)


def kept_bars(table: pa.Table) -> Drawing:
    """Draw a `kept_table`: a bar with its percentage for each model, a mark for the guess."""
    names = {"title": None, "labelOverlap": False, **vl.BARE}
    across = vl.scale(0, 1.6)
    model = {"y": vl.field("model:N", sort=None, axis=names)}
    title = {"title": "words kept", "labels": False, "grid": False, **vl.BARE}
    share = {"x": vl.field("share:Q", axis=title, scale=across)}
    tooltip = {"tooltip": ["model:N", "share:Q .0%"]}
    text = {"x": vl.field("place:Q", axis=title, scale=across), "text": "said:N"}
    computed = {
        "place": "datum.share === null ? 0 : datum.share",
        "said": "datum.share === null ? '?' : format(datum.share, '.0%')",
    }
    guess: vl.Spec = {"color": VERMILLION, "thickness": 3, "height": {"band": 0.95}}
    spec = vl.layered(
        vl.mark("rule", model, opacity=0),  # all of them in their order, also the one that waits
        vl.mark("bar", model, share, tooltip, when=_is(_KEPT), color=BLUE, height={"band": 0.62}),
        vl.mark("text", model, text, when=_is(_KEPT), computed=computed, align="left", dx=5),
        vl.mark("tick", model, share, {"tooltip": vl.value(GUESS)}, when=_is(_GUESSED), **guess),
        height=32 + _ROW * len(set(table["model"].to_pylist())),
    )
    return Drawing(spec, table, "Bars: the share of its words that each model keeps.")


def kept_in_words(table: pa.Table) -> str:
    """Return the numbers of a `kept_table` as a sentence, for who cannot see them."""
    said = (
        f"{row['model']}: {'?' if row['share'] is None else percentage(row['share'])}"
        + (f" ({GUESS})" if row["kind"] == _GUESSED else "")
        for row in table.to_pylist()
    )
    return f"Words kept. {'; '.join(said)}."
