"""The rows of tokens: which tokenizers there are, what is counted, and what the numbers mean."""

from collections import Counter

import pandas as pd
import streamlit as st

from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.tokenizers.characters import ByteTokenizer, CharacterTokenizer
from lm_core.text.tokenizers.tokenizer import Encoding, Tokenizer, token_text, tokenize
from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.components.texts import TokenRow, number_of_tokens
from pages.shared.models import tokenizers
from pages.shared.ui.markdown import as_code
from pages.tokenization.examples import QUESTION

_WORDS = {"Whitespace": "whitespace", "Basic English": "basic english"}
"""Pre-tokenizers by their name on the page."""

CHARACTERS = CharacterTokenizer(FULL)
_CHARACTERS: dict[str, Tokenizer] = {
    "Characters, reduced": CharacterTokenizer(SOURCE),
    "Characters, full": CHARACTERS,
    "Bytes": ByteTokenizer(),
}
NAMES = (*tokenizers.PUBLISHED, tokenizers.BOOK_BPE, *_WORDS, *_CHARACTERS)
_MOST_LINES = 40
_LOST_SHOWN = 12
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
    if name not in _WORDS:
        return _CHARACTERS.get(name) or tokenizers.book_tokenizer()
    if by_the_book:
        return tokenizers.words_of_the_book(_WORDS[name])
    return WordTokenizer.fit(text, _WORDS[name], special_tokens=())


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
        more = " …" if len(lost) > _LOST_SHOWN else ""
        signs = [c if c.isprintable() else f"U+{ord(c):04X}" for c in lost[:_LOST_SHOWN]]
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


def explain(rows: list[TokenRow], text: str) -> None:
    """Say what the numbers behind the names mean for this text."""
    if not text.strip():
        what = "nothing but white space" if text else "empty"
        st.info(f"The text is {what}: type a word, or take an example.")
        return
    if not rows:
        st.info("Choose at least one tokenizer.")
        return
    sentences = [
        (
            "A model reads the **ids** under the tokens, one at each step, and nothing else: so it"
            " does not see how a token is spelled."
        )
    ]
    sentences += [said for row in rows if (said := _repeated(row))][:1]
    sentences += [said for row in rows if (said := _missing(row))]
    published = None
    if text == QUESTION:
        published = (
            "Published (blog series): ten tokens of eight different words, numbered"
            " 0 1 2 3 4 5 2 6 1 7. *Basic English* gives the same."
        )
    st.markdown(" ".join(sentences), help=published)


def _repeated(row: TokenRow) -> str:
    """Tell of the most repeated token that has a letter."""
    counted = Counter(token.id for token in row.encoding.tokens)
    for token_id, times in counted.most_common():
        if times < 2:
            break
        read = row.tokenizer.bytes_of(token_id).decode("utf-8", "ignore")
        if any(c.isalpha() for c in read) and read != row.encoding.unknown:
            ids = " ".join(str(token.id) for token in row.encoding.tokens[:12])
            return (
                f"*{row.name}* gives {as_code(read)} the number {token_id} each of the {times} times that"
                f" it appears: {ids}{' …,' if len(row.encoding) > 12 else ','} because a token is looked"
                " up without its neighbours."
            )
    return ""


def _missing(row: TokenRow) -> str:
    """Tell what a tokenizer loses: unknown words, deleted characters."""
    encoding = row.encoding
    if encoding.n_unknown:
        kind = "words" if row.name in _WORDS else "symbols"
        return (
            f"For *{row.name}*, {encoding.n_unknown:,} of {number_of_tokens(len(encoding))} are not"
            f" among its {encoding.vocabulary_size - 1:,} {kind}: the model reads"
            f" {as_code(encoding.unknown or '')} and cannot tell them apart."
        )
    if encoding.lost:
        where = "deletes them" if row.name in _WORDS else "has no symbol for them"
        lost = as_code(" ".join(encoding.lost[:_LOST_SHOWN]))
        return (
            f"*{row.name}* {where}: {lost}. So a model that reads its tokens can neither see them nor"
            " write them."
        )
    return ""


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
