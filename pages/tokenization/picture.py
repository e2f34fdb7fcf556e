"""The rows of tokens, the counts behind their names, and the table to export."""

import pandas as pd

from lm_core.text.tokenizers.tokenizer import Encoding, Tokenizer, token_text, tokenize
from pages.shared.components.attention import data_popover
from pages.shared.components.token_rows import TokenRow, number_of_tokens, token_rows
from pages.tokenization.choices import Choice
from pages.tokenization.library import tokenizers

_LOST_SHOWN = 12


def cut_all(choice: Choice) -> list[TokenRow]:
    """Return the text as each of the chosen tokenizers cuts it, with its counts in words."""
    found = tokenizers(choice.names, choice.text, by_the_book=choice.by_the_book)
    rows = []
    for name, tokenizer in found.items():
        tokens = tokenize(tokenizer, choice.text)
        rows.append(TokenRow(name, counts(tokens), tokenizer, tokens))
    return rows


def counts(tokens: Encoding) -> str:
    """Return what stands behind a tokenizer's name: true for the whole text, drawn or not."""
    parts = [
        number_of_tokens(len(tokens)),
        f"{tokens.n_different:,} different of {tokens.vocabulary_size:,}",
        f"{tokens.tokens_per_word:.2f} a word",
        f"{tokens.characters_per_token:.2f} characters each",
    ]
    if tokens.n_unknown:
        parts.append(f"{tokens.n_unknown:,} unknown")
    if lost := tokens.lost:
        more = " …" if len(lost) > _LOST_SHOWN else ""
        signs = [c if c.isprintable() else f"U+{ord(c):04X}" for c in lost[:_LOST_SHOWN]]
        parts.append(f"lost: {' '.join(signs)}{more}")
    return " · ".join(parts)


def picture(rows: list[TokenRow], choice: Choice) -> None:
    """Draw the rows, and the table of all tokens under them."""
    token_rows(rows, choice.text, key="tokens_rows", show_bytes=choice.show_bytes)
    data_popover(lambda: token_table(rows), key="tokens_data", name="tokens")


def token_table(rows: list[TokenRow]) -> pd.DataFrame:
    """Return one row per token: tokenizer, position (from 1), id, token, bytes, first and last character."""
    return pd.DataFrame(
        [
            (
                row.name,
                place + 1,
                token.id,
                _shown(row.tokenizer, token.id, token.symbol),
                row.tokenizer.bytes_of(token.id).hex(" ").upper(),
                token.start + 1,
                token.end,
            )
            for row in rows
            for place, token in enumerate(row.encoding.tokens)
        ],
        columns=["tokenizer", "position", "id", "token", "bytes", "first", "last"],
    )


def _shown(tokenizer: Tokenizer, token_id: int, symbol: str) -> str:
    return symbol if symbol.startswith("<unk") else token_text(tokenizer, token_id)
