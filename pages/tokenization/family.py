"""An emoji of three people: how many bytes and tokens one picture is."""

import streamlit as st

from pages.shared import page
from pages.shared.components.texts import TokenRow, token_rows
from pages.shared.models.tokenizers import CHATGPT
from pages.tokenization.examples import FAMILY
from pages.tokenization.rows import rows_of


def family_of_three() -> None:
    """Ask how many bytes an emoji of three people has, then tokenize it."""
    st.header("One picture, how many tokens?", anchor=False)
    asked = page.ask(
        None,
        "family",
        f"{FAMILY} is one picture on your screen. How many bytes is it in UTF-8?",
        ("1", "4", "8", "18"),
        has_key=False,
    )
    if asked.masks:
        return
    names = [CHATGPT, "Whitespace", "Characters, full", "Bytes"]
    rows: list[TokenRow] = rows_of(names, FAMILY, by_the_book=False)
    token_rows(rows, FAMILY, key="tokens_family", show_bytes=True)
    n_bytes = {c: len(c.encode()) for c in FAMILY}
    people = [n for c, n in n_bytes.items() if c.isprintable()]
    joiner = n_bytes["\N{ZERO WIDTH JOINER}"]
    asked.judge(
        right=str(len(FAMILY.encode())),
        reason=f"**{len(FAMILY.encode())} bytes.** The picture is {len(FAMILY)} characters: three people of"
        f" {people[0]} bytes each, and between them two invisible joiners of {joiner} bytes. A"
        " tokenizer of bytes can write all of it, because every text is made of bytes. A"
        " tokenizer of an old book's characters has no symbol for any of it.",
    )
