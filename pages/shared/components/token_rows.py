"""A text as several tokenizers cut it, one row under the other, linked by the characters they cover."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from lm_core.text.tokenizers.tokenizer import Encoding, Token, Tokenizer
from pages.shared.components import component
from pages.shared.ui.text_input import DRAWN_CHARACTERS

_ROWS = component("token_rows")
_NORMAL, _PARTIAL, _UNKNOWN = range(3)


class TokenRow(NamedTuple):
    """One tokenizer's row.

    Attributes
    ----------
    name : str
        Unique among the rows.
    note : str
        Stands behind the name.
    tokenizer : Tokenizer
    encoding : Encoding
        Of the text that all rows show.
    """

    name: str
    note: str
    tokenizer: Tokenizer
    encoding: Encoding


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
    rows : sequence of TokenRow
    text : str
    key : str
        Unique on the page.
    show_bytes : bool
        Whether each token's bytes stand under it.
    hint : str
        Shown while nothing is pointed at.
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
    return f"{n:,} token" if n == 1 else f"{n:,} tokens"


def _packed(row: TokenRow) -> dict[str, Any]:
    drawn = [token for token in row.encoding.tokens if token.start < DRAWN_CHARACTERS]
    left = len(row.encoding) - len(drawn)
    more = f"… and {number_of_tokens(left)} more, not drawn" if left else ""
    readings: dict[int, tuple[str, int]] = {}
    for token in drawn:
        if token.id not in readings:
            readings[token.id] = _reading(row, token)
    tokens = [(token.id, token.start, token.end, *readings[token.id]) for token in drawn]
    return {"name": row.name, "note": row.note, "more": more, "tokens": tokens}


def _reading(row: TokenRow, token: Token) -> tuple[str, int]:
    """Return what a token reads as, or the bytes of a part of a character, and which it is."""
    if token.symbol == row.encoding.unknown:
        return token.symbol, _UNKNOWN
    content = row.tokenizer.bytes_of(token.id)
    try:
        return content.decode(), _NORMAL
    except UnicodeDecodeError:
        return content.hex(" ").upper(), _PARTIAL
