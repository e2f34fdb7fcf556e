"""Texts on a page: by several tokenizers in rows, growing token by token, or as passages with marks.

Whatever a visitor or a model wrote goes in as data and is only ever set as text.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from lm_core.errors import TextError
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.tokenizers.tokenizer import Encoding, Token, Tokenizer
from pages.shared.counts import counted
from pages.shared.server.component import component
from pages.shared.ui.text_input import DRAWN_CHARACTERS, TEXT_CHARACTERS

_ROWS = component("token_rows", "hints")
_STRIP = component("token_strip", "hints")
_NGRAM_FILTER = component("passages")

# Rows of tokens -------------------------------------------------------------------------------
_NORMAL, _PARTIAL, _UNKNOWN = range(3)


class TokenRow(NamedTuple):
    """One tokenizer's row."""

    name: str  # unique among the rows
    note: str  # written behind the name
    tokenizer: Tokenizer
    encoding: Encoding  # of the text that all rows show
    # whether the text is drawn whole, because its tokens are what the class is asked for
    is_masked: bool = False
    # places of tokens that are drawn as one with the token behind them: the next to be merged
    paired: tuple[int, ...] = ()
    # whether the tokens are only those of a part of the text; the rest is pale
    is_excerpt: bool = False


def token_rows(
    rows: Sequence[TokenRow],
    text: str,
    *,
    key: str,
    show_bytes: bool = False,
    hint: str = "Point at a token, or tap it: the same characters are marked in all rows.",
) -> None:
    """Draw the rows; of a long text the beginning, and how many tokens follow.

    Parameters
    ----------
    show_bytes : bool, whether each token's bytes are written under it
    hint : str, shown while nothing is pointed at
    """
    _ROWS(
        key=key,
        data={
            "text": text[:DRAWN_CHARACTERS],
            "rows": [_packed(row) for row in rows],
            "show_bytes": show_bytes,
            "hint": hint,
        },
    )


def number_of_tokens(n: int) -> str:
    """Return a number of tokens in words.

    Examples
    --------
    >>> number_of_tokens(1), number_of_tokens(1200)
    ('1 token', '1,200 tokens')
    """
    return counted(n, "token")


def _packed(row: TokenRow) -> dict[str, Any]:
    if row.is_masked:
        return {"name": row.name, "note": "?", "more": "", "tokens": [], "is_masked": True}
    drawn = [token for token in row.encoding.tokens if token.start < DRAWN_CHARACTERS]
    left = len(row.encoding) - len(drawn)
    more = f"… and {number_of_tokens(left)} more, not drawn" if left else ""
    readings: dict[int, tuple[str, int]] = {}
    for token in drawn:
        if token.id not in readings:
            readings[token.id] = _reading(row, token)
    tokens = [(token.id, token.start, token.end, *readings[token.id]) for token in drawn]
    paired = [place for place in row.paired if place + 1 < len(tokens)]
    return {
        "name": row.name,
        "note": row.note,
        "more": more,
        "tokens": tokens,
        "paired": paired,
        "is_excerpt": row.is_excerpt,
    }


def _reading(row: TokenRow, token: Token) -> tuple[str, int]:
    """Return what a token reads as, or the bytes of a part of a character, and which it is."""
    if token.symbol == row.encoding.unknown:
        return token.symbol, _UNKNOWN
    content = row.tokenizer.bytes_of(token.id)
    try:
        return content.decode(), _NORMAL
    except UnicodeDecodeError:
        return content.hex(" ").upper(), _PARTIAL


# A growing text -------------------------------------------------------------------------------
def token_strip(
    tokens: Sequence[str],
    probabilities: Sequence[float | None],
    *,
    key: str,
    prompt_length: int = 0,
    copied: Sequence[tuple[int, int]] = (),
    picked: Sequence[int] = (),
    inspected: int | None = None,
    begin: int = 0,
    drawn_with: Sequence[float | None] = (),
    unit: str = "character",
    label: str = "The text, token by token",
    click_hint: str | None = None,
    typewriter_ms: int = 0,
    follow: bool = True,
    fills_place: bool = False,
) -> int | None:
    """Draw a text as clickable tokens, and return the one that was just clicked, if any.

    A token is tinted the more, the more probable it was; pointing at it or reaching it by
    keyboard reads out its probability and its surprisal in bits. Raises TextError if the text is
    too long, and ValueError if there is not one probability per token.

    The result: int or None, index of the clicked token, for this one run.

    Parameters
    ----------
    tokens : sequence of str, characters or subwords, at most `TEXT_CHARACTERS`, the prompt included
    probabilities : sequence of float in [0, 1] or None, one per token
        None where the model did not choose (the prompt).
    key : str, keeps the strip in place while the text grows
    prompt_length : int, so many tokens at the start are the visitor's
    copied : sequence of (start, length)
        Stretches of tokens, underlined and marked "copied", with their length in characters; they
        do not overlap.
    picked : sequence of int, tokens chosen by hand
    inspected : int, the token that is looked at elsewhere on the page: it is framed
    begin : int, how many tokens of the text come before the first that is drawn
    drawn_with : sequence of float or None, one per token; may be left out
        The probability with which each was drawn, after the settings of the sampling: read out beside the model's
        where it is another.
    unit : str, what a token is called: ``character`` or ``token``
    label : str, names the strip for screen readers
    click_hint : str, shown while nothing is pointed at
    typewriter_ms : int, over so many milliseconds a new tail appears letter by letter; 0 shows it at once
    follow : bool, whether the text's end stays in sight, unless the visitor scrolls away from it
    fills_place : bool, whether the strip takes the height of its place, as in the presenter view
    """
    _require_drawable(len(tokens), len(probabilities), unit)
    result = _STRIP(
        key=key,
        data={
            "tokens": list(tokens),
            "unit": unit,
            "begin": begin,
            "probabilities": [_sent(p) for p in probabilities],
            "drawn_with": [_sent(p) for p in drawn_with],
            "prompt_length": prompt_length,
            "copied": [[int(start), int(length)] for start, length in copied],
            "picked": [int(index) for index in picked],
            "inspected": inspected,
            "label": label,
            "click_hint": f"The stronger the tint, the more probable the {unit} was. Tap one: what else was possible."
            if click_hint is None
            else click_hint,
            "typewriter_ms": typewriter_ms,
            "follow": follow,
            "fills_place": fills_place,
        },
        on_clicked_change=lambda: None,
    )
    return None if result.clicked is None else int(result.clicked)


def _sent(probability: float | None) -> float | None:
    return None if probability is None else round(float(probability), 6)


def _require_drawable(n_tokens: int, n_values: int, unit: str) -> None:
    if n_tokens > TEXT_CHARACTERS:
        raise TextError(
            f"a strip holds at most {TEXT_CHARACTERS:,} {unit}s, got {n_tokens:,}: show a part"
        )
    if n_values != n_tokens:
        raise ValueError(f"one value per {unit}: {n_tokens} {unit}s, {n_values} values")


class Tint(NamedTuple):
    """How a token of a `tinted_text` is marked."""

    # of `SURPRISING`, `SUPPORTED`, `FIRST`, `SECOND`, `ON`, `AGAINST` and `RANKS` one, which gives
    # the colour, and any of `MASKED`, `GUESS` and `ANSWER`; or `HEADING` alone: a line of its own
    # above what follows
    roles: tuple[str, ...]
    strength: int  # of the colour, from 0 to 100
    reading: str  # what is read out where somebody points at the token; the hint if it is empty


SURPRISING, SUPPORTED, FIRST, SECOND = "surprising", "supported", "first", "second"
ON, AGAINST = "on", "against"
RANKS = ("rank-0", "rank-1", "rank-2", "rank-3")
MASKED, GUESS, ANSWER = "masked", "guess", "answer"
HEADING = "heading"
PLAIN = Tint((), 0, "")


def tinted_text(
    tokens: Sequence[str],
    tints: Sequence[Tint],
    *,
    key: str,
    legend: Sequence[tuple[str, str]],
    unit: str,
    label: str,
    inspected: int | None = None,
    click_hint: str | None = None,
    fills_place: bool = False,
) -> int | None:
    """Draw a text whose tokens are tinted as the caller says, and return the one just clicked, if any.

    Raises TextError if the text is too long, and ValueError if there is not one tint per token.

    Parameters
    ----------
    tokens : sequence of str, at most `TEXT_CHARACTERS`
    tints : sequence of Tint, one per token
    legend : sequence of (role, label), what the colours mean, drawn above the text
    unit, label, inspected, click_hint, fills_place
        As for `token_strip`.
    """
    _require_drawable(len(tokens), len(tints), unit)
    looks = {tint: place for place, tint in enumerate(dict.fromkeys(tints))}
    result = _STRIP(
        key=key,
        data={
            "tokens": list(tokens),
            "unit": unit,
            "begin": 0,
            "probabilities": [],
            "looks": [list(tint) for tint in looks],
            "tints": [looks[tint] for tint in tints],
            "legend": [list(entry) for entry in legend],
            "prompt_length": 0,
            "copied": [],
            "picked": [],
            "inspected": inspected,
            "label": label,
            "click_hint": f"Tap a {unit}: what the model expected in its place."
            if click_hint is None
            else click_hint,
            "typewriter_ms": 0,
            "follow": False,
            "fills_place": fills_place,
        },
        on_clicked_change=lambda: None,
    )
    return None if result.clicked is None else int(result.clicked)


class TintedText(NamedTuple):
    """A text and whose it is."""

    title: str
    words: Sequence[str]  # an empty one is the end
    tints: Sequence[Tint]  # one for each word


def tinted_texts(
    texts: Iterable[TintedText],
    *,
    key: str,
    label: str,
    hint: str,
    legend: Sequence[tuple[str, str]] = (),
    fills_place: bool = False,
) -> None:
    """Draw texts of words, each under its title.

    Parameters
    ----------
    label : str, names them for screen readers
    hint : str, shown while nothing is pointed at
    legend : sequence of (role, label)
    fills_place : bool, as for `token_strip`
    """
    tokens: list[str] = []
    tints: list[Tint] = []
    for text in texts:
        tokens += [f"{text.title}: ", *(f"{word or '(end)'} " for word in text.words)]
        tints += [Tint((HEADING,), 0, ""), *text.tints]
    tinted_text(
        tokens,
        tints,
        key=key,
        legend=legend,
        unit="word",
        label=label,
        click_hint=hint,
        fills_place=fills_place,
    )


def plain_text(title: str, sentence: str) -> TintedText:
    """Return a text without marks."""
    words = sentence.split()
    return TintedText(title, words, [PLAIN] * len(words))


def generation_strip(
    generation: TextGeneration,
    tokens: Sequence[str],
    *,
    key: str,
    label: str,
    is_growing: bool,
    unit: str = "character",
    follow: bool = True,
    fills_place: bool = False,
) -> None:
    """Draw a generated text, to be read only, as a `token_strip` of its spelled tokens."""
    n_prompt = len(generation.prompt_ids)
    token_strip(
        tokens,
        [None] * n_prompt + [token.model_probability for token in generation.written],
        key=key,
        prompt_length=n_prompt,
        label=label,
        unit=unit,
        click_hint="" if fills_place else f"Point at a {unit} for its probability.",
        typewriter_ms=1000 if is_growing else 0,
        follow=follow,
        fills_place=fills_place,
    )


# Passages -------------------------------------------------------------------------------------
MIDDLE, WINDOW, SHARED, ABSENT = "middle", "window", "shared", "absent"
"""How a word is marked: the one in the middle, one near it, one that is looked for, one left out."""


class Passage(NamedTuple):
    """A piece of text."""

    # sequence of (str, str): text, and how it is marked; empty where it is not
    pieces: Sequence[tuple[str, str]]
    heading: str = ""  # what is written above it; may be empty


def show_passages(passages: Sequence[Passage], *, key: str) -> None:
    """Draw passages one below another."""
    rows = [{"heading": p.heading, "pieces": [list(piece) for piece in p.pieces]} for p in passages]
    _NGRAM_FILTER(key=key, data={"passages": rows})
