"""The rows of tokens: which tokenizers there are, what is counted, and what the numbers mean."""

import pandas as pd
import streamlit as st

from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.tokenizers.characters import ByteTokenizer, CharacterTokenizer
from lm_core.text.tokenizers.tokenizer import Encoding, Tokenizer, token_text, tokenize
from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.components.texts import TokenRow, number_of_tokens
from pages.shared.models import tokenizers

WORDS = {"Whitespace": "whitespace", "Basic English": "basic english"}
"""Pre-tokenizers by their name on the page."""

CHARACTERS = CharacterTokenizer(FULL)
_CHARACTERS: dict[str, Tokenizer] = {
    "Characters, reduced": CharacterTokenizer(SOURCE),
    "Characters, full": CHARACTERS,
    "Bytes": ByteTokenizer(),
}
NAMES = (*tokenizers.PUBLISHED, tokenizers.BOOK_BPE, *WORDS, *_CHARACTERS)
_MOST_LINES = 40
LOST_SHOWN = 12
_ROWS_TOLD = 3


def rows_of(names: list[str], text: str, *, by_the_book: bool) -> list[TokenRow]:
    """Return the tokens of a text by the tokenizers of these names, the visitor's own behind them.

    Parameters
    ----------
    names : list of str, of `NAMES`
    text : str, whose words are numbered, unless the book's are
    """
    found = {name: _tokenizer(name, text, by_the_book) for name in NAMES if name in names}
    rows = [_row(name, tokenizer, tokenize(tokenizer, text)) for name, tokenizer in found.items()]
    if own := tokenizers.own_encoding(text):
        rows.append(_row(*own))
    return rows


def _row(name: str, tokenizer: Tokenizer, encoding: Encoding) -> TokenRow:
    return TokenRow(name, _counts(encoding), tokenizer, encoding)


def _tokenizer(name: str, text: str, by_the_book: bool) -> Tokenizer:
    if name in tokenizers.PUBLISHED:
        return tokenizers.published_tokenizer(name)
    if name not in WORDS:
        return _CHARACTERS.get(name) or tokenizers.book_tokenizer()
    if by_the_book:
        return tokenizers.words_of_the_book(WORDS[name])
    return WordTokenizer.fit(text, WORDS[name], special_tokens=())


def _counts(encoding: Encoding) -> str:
    """Return what is written behind a tokenizer's name: true for the whole text, drawn or not."""
    parts = [
        number_of_tokens(len(encoding)),
        f"{encoding.tokens_per_word:.2f} per word",
        f"vocabulary of {encoding.vocabulary_size:,}",
    ]
    if encoding.n_unknown:
        parts.append(f"{encoding.n_unknown:,} unknown")
    if lost := encoding.lost:
        more = " …" if len(lost) > LOST_SHOWN else ""
        signs = [c if c.isprintable() else f"U+{ord(c):04X}" for c in lost[:LOST_SHOWN]]
        parts.append(f"lost: {' '.join(signs)}{more}")
    return " · ".join(parts)


def token_table(rows: list[TokenRow]) -> pd.DataFrame:
    """Return one row per token: tokenizer, position (from 1), id, token, bytes, first and last character."""
    return pd.DataFrame(
        [
            (
                row.name,
                place + 1,
                token.id,
                _shown(row, token.id, token.symbol),
                row.tokenizer.bytes_of(token.id).hex(" ").upper(),
                token.start + 1,
                token.end,
            )
            for row in rows
            for place, token in enumerate(row.encoding.tokens)
        ],
        columns=["tokenizer", "position", "id", "token", "bytes", "first", "last"],
    )


def _shown(row: TokenRow, token_id: int, symbol: str) -> str:
    return symbol if symbol == row.encoding.unknown else token_text(row.tokenizer, token_id)


def finding(rows: list[TokenRow], text: str) -> str:
    """Say in one line how many tokens a text is for the first rows, those that are masked left out."""
    told = [row for row in rows if not row.is_masked][:_ROWS_TOLD]
    if not told or not text.strip():
        return "No tokens"
    characters = "1 character" if len(text) == 1 else f"{len(text):,} characters"
    first, *others = told
    counts = [f"{number_of_tokens(len(first.encoding))} for {first.name}"]
    counts += [f"{len(row.encoding):,} for {row.name}" for row in others]
    return f"{characters}: {', '.join(counts)}"


def tokens_by_line(rows: list[TokenRow], text: str) -> None:
    """Count the tokens of each line: of a text in several languages, each one's cost."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not rows:
        return
    shown = f", the first {_MOST_LINES} of {len(lines):,}" if len(lines) > _MOST_LINES else ""
    st.markdown(f"**Tokens line by line**{shown}")
    table = pd.DataFrame({"line": lines[:_MOST_LINES]})
    for row in rows:
        table[row.name] = [len(tokenize(row.tokenizer, line)) for line in table["line"]]
    st.dataframe(table, hide_index=True, height="content" if len(table) < 12 else 400)
