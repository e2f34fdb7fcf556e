"""One picture, how many tokens? Asked before it is cut."""

import streamlit as st

from lm_core.text.tokenizers.tokenizer import tokenize
from pages.shared.components.token_rows import TokenRow, token_rows
from pages.shared.tokenizers import BOOK_BPE
from pages.shared.ui.lesson import predict_then_reveal
from pages.tokenization.library import tokenizers
from pages.tokenization.picture import counts

_FAMILY = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"


def one_picture() -> None:
    """Ask how many bytes an emoji of three people has, then cut it."""
    st.subheader("One picture, how many tokens?", anchor=False)
    prediction = predict_then_reveal(
        "family",
        f"{_FAMILY} is one picture on your screen. How many bytes is it in UTF-8?",
        ("1", "4", "8", "18"),
    )
    if not prediction.revealed:
        return
    names = ["Whitespace", "Characters, full", "Bytes", BOOK_BPE]
    found = tokenizers(names, _FAMILY, by_the_book=False)
    rows = [
        TokenRow(name, counts(tokens), tokenizer, tokens)
        for name, tokenizer in found.items()
        for tokens in (tokenize(tokenizer, _FAMILY),)
    ]
    token_rows(rows, _FAMILY, key="tokens_family", show_bytes=True)
    n_bytes = {c: len(c.encode()) for c in _FAMILY}
    people = [n for c, n in n_bytes.items() if c.isprintable()]
    joiner = n_bytes["\N{ZERO WIDTH JOINER}"]
    st.markdown(
        f"**{len(_FAMILY.encode())} bytes.** The picture is {len(_FAMILY)} characters: three people of"
        f" {people[0]} bytes each, and between them two joiners of {joiner} bytes that nobody sees. Whoever"
        " cuts text into bytes can write all of it; whoever cuts it into the characters of an old book"
        " has no symbol for any of it."
    )
