"""Chains of vowels and consonants that a count writes, and letters in their places."""

import streamlit as st

from lm_core.analysis.vowels import spell, write_chain
from lm_core.experiments.vowels.results import CountedText
from lm_core.rng import generator
from pages.shared import page

_LENGTH = 60
_ABOUT = {0: "independent letters", 1: "one letter back", 2: "two letters back"}


def written_chain(text: CountedText) -> None:
    """Draw a chain of each order, from the same random numbers, and its letters."""
    seed = page.number("vowel_seed", "Seed", 1, 999, 1, width=130)
    rows = []
    for order, about in _ABOUT.items():
        rng = generator(seed)
        chain = write_chain(text.counts, order, _LENGTH, rng)
        letters = spell(chain, text.letters, generator(seed))
        rows.append(("".join("v" if one else "c" for one in chain), letters, f"{order}: {about}"))
    st.dataframe(
        {
            "order": [row[2] for row in rows],
            "vowels and consonants": [row[0] for row in rows],
            "with letters": [row[1] for row in rows],
        },
        hide_index=True,
    )
    st.markdown(
        "Each row draws a vowel or a consonant by what came before, then puts a letter in its place, as frequent as in"
        " the text. With order 0 there are heaps of consonants that nobody can pronounce. One letter back is enough for"
        " syllables, because vowels and consonants then take turns. Words are still missing: which consonant it is"
        " depends on nothing here. *Next letter* counts the letters themselves."
    )
