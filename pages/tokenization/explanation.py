"""What the rows show, with their numbers."""

from collections import Counter

import pandas as pd
import streamlit as st

from lm_core.text.tokenizers.tokenizer import token_text, tokenize
from pages.shared.components.token_rows import TokenRow, number_of_tokens
from pages.shared.tokenizers import BOOK_BPE
from pages.shared.ui.text_input import as_code
from pages.tokenization.library import WORDS
from pages.tokenization.presets import QUESTION

_MOST_LINES = 40


def explain(rows: list[TokenRow], text: str) -> None:
    """Say what the numbers behind the names mean for this text."""
    if not text.strip():
        what = "nothing but white space" if text else "empty"
        st.info(f"The text is {what}: type a word, or take an example.")
        return
    if not rows:
        st.info("Choose at least one tokenizer.")
        return
    longest = max(rows, key=lambda row: len(row.encoding))
    shortest = min(rows, key=lambda row: len(row.encoding))
    characters = (
        "The same character is" if len(text) == 1 else f"The same {len(text):,} characters are"
    )
    sentences = [
        f"{characters} {number_of_tokens(len(shortest.encoding))} for *{shortest.name}* and"
        f" {number_of_tokens(len(longest.encoding))} for *{longest.name}*. A model reads the **ids** under the tokens, one"
        " step each, and knows nothing else of the text."
    ]
    if text == QUESTION:
        sentences.append(
            "It is the source's own question: by *basic English* it has ten tokens there, of eight"
            " different words, with the numbers 0 1 2 3 4 5 2 6 1 7."
        )
    sentences += [said for row in rows if (said := _repeated(row))][:1]
    sentences += [said for row in rows if (said := _missing(row))]
    st.markdown(" ".join(sentences))


def _repeated(row: TokenRow) -> str:
    """Tell of the most repeated token that has a letter."""
    counted = Counter(token.id for token in row.encoding.tokens)
    for token_id, times in counted.most_common():
        read = token_text(row.tokenizer, token_id)
        if times > 1 and any(c.isalpha() for c in read) and read != row.encoding.unknown:
            ids = " ".join(str(token.id) for token in row.encoding.tokens[:12])
            return (
                f"*{row.name}* gives {as_code(read)} the number {token_id} each of the {times} times"
                f" that it comes: {ids}{' …' if len(row.encoding) > 12 else '.'}"
            )
    return ""


def _missing(row: TokenRow) -> str:
    """Tell what a tokenizer loses: unknown words, deleted characters."""
    if row.encoding.n_unknown:
        kind = "words" if row.name in WORDS else "symbols"
        known = f"its {row.encoding.vocabulary_size - 1:,} {kind}"
        return (
            f"For *{row.name}*, {row.encoding.n_unknown:,} of {number_of_tokens(len(row.encoding))} are not among {known}: the"
            f" model reads {as_code(row.encoding.unknown)} and cannot tell them apart."
        )
    if row.encoding.lost:
        where = "deletes them" if row.name in WORDS else "has no symbol for them"
        lost = as_code(" ".join(row.encoding.lost[:12]))
        return f"*{row.name}* {where}: {lost}; no model behind it can ever write them."
    return ""


def cost_by_line(rows: list[TokenRow], text: str) -> None:
    """Count the tokens of each line: the same sentence costs more in some languages than in others."""
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not rows:
        return
    cut_off = f", the first {_MOST_LINES} of {len(lines):,}" if len(lines) > _MOST_LINES else ""
    st.markdown(f"**Tokens line by line**{cut_off}")
    table = pd.DataFrame({"line": lines[:_MOST_LINES]})
    for row in rows:
        table[row.name] = [len(tokenize(row.tokenizer, line)) for line in table["line"]]
    st.dataframe(table, hide_index=True, height="content" if len(table) < 12 else 400)
    if BOOK_BPE not in table:
        return
    first, dearest = int(table[BOOK_BPE].iloc[0]), table.loc[table[BOOK_BPE].idxmax()]
    if 0 < first < dearest[BOOK_BPE]:
        st.markdown(
            f"In *{BOOK_BPE}* the first line costs {number_of_tokens(first)}, the"
            f" dearest, {as_code(dearest['line'])}, {int(dearest[BOOK_BPE]):,}: {dearest[BOOK_BPE] / first:.1f}"
            " times as many. Its merges were learned from an English book; what that book lacks is"
            " spelled byte by byte, and one who pays for tokens, or has room for so many, pays for it."
        )
