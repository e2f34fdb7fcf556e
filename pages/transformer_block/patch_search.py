"""What was searched among prepared pairs of prompts, and how many of them flip."""

import pandas as pd
import streamlit as st

from pages.shared.models.read_sentences import titles
from pages.transformer_block.prompt_pairs import results


def searched() -> None:
    """Draw how many pairs were tried, by model and kind, and how many of them flip."""
    names = titles()
    rows = [
        (
            names.get(search.model, search.model),
            count.kind,
            count.tried,
            count.equally_long,
            count.flipped,
            _median_block(
                [m.handed_over for m in search.maps if m.kind == count.kind and m.is_one_token]
            ),
        )
        for search in results().searches
        for count in search.counts
    ]
    columns = ["model", "kind", "tried", "equally long", "flip", "last token decides after block"]
    st.markdown(
        "Words were exchanged in prepared sentences, and each pair was read by two of our models. A pair"
        " *flips* if each prompt prefers its own answer. Of the pairs that flip and whose word is one token, the"
        " last column is the"
        " block after which the last token's cell decides more than the changed word's own (the median):"
        " by then attention has carried the difference to where the next token is predicted. The pairs on"
        " offer are those of each kind whose answers are clearest, so their maps are clearer than most."
    )
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True)


def _median_block(blocks: list[int]) -> float | None:
    return float(pd.Series(blocks).median()) if blocks else None
