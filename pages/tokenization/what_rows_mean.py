"""What the numbers behind tokenizers' names mean for a text."""

from collections import Counter

import streamlit as st

from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.components.texts import TokenRow, number_of_tokens
from pages.shared.ui.markdown import as_code
from pages.tokenization.examples import QUESTION
from pages.tokenization.rows import LOST_SHOWN, WORDS

_MOST_DECODED = 80


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
    sentences += [said for row in rows if (said := _decoded(row, text))]
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
        kind = "words" if row.name in WORDS else "symbols"
        return (
            f"For *{row.name}*, {encoding.n_unknown:,} of {number_of_tokens(len(encoding))} are not"
            f" among its {encoding.vocabulary_size - 1:,} {kind}: the model reads"
            f" {as_code(encoding.unknown or '')} and cannot tell them apart."
        )
    if encoding.lost:
        where = "deletes them" if row.name in WORDS else "has no symbol for them"
        lost = as_code(" ".join(encoding.lost[:LOST_SHOWN]))
        return (
            f"*{row.name}* {where}: {lost}. So a model that reads its tokens can neither see them nor"
            " write them."
        )
    return ""


def _decoded(row: TokenRow, text: str) -> str:
    """Tell what comes back from the ids of words, where that is another text."""
    if not isinstance(row.tokenizer, WordTokenizer) or row.encoding.n_unknown:
        return ""
    decoded = row.tokenizer.decode([token.id for token in row.encoding.tokens])
    if decoded == text or not 0 < len(decoded) <= _MOST_DECODED:
        return ""
    return (
        f"Decoded, the ids of *{row.name}* are {as_code(decoded)}: capitals and spaces that the ids do not hold"
        " cannot come back."
    )
