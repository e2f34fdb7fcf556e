"""One cell of the map in numbers: query times key, scaled, masked, softmax."""

import streamlit as st

from lm_core.analysis.attention_cell import attention_cell
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from pages.attention.one_head import aligned, equations
from pages.attention.traces import Choice
from pages.shared.charts.attention import vectors_chart, vectors_table
from pages.shared.charts.palette import numbered
from pages.shared.ui.figures import show_chart


def cell_in_numbers(choice: Choice, query: int, key: int) -> None:
    """Write every stage of one cell, from the two vectors to the mix."""
    tokens = numbered(choice.sentence.symbols)
    stages = choice.stages
    cell = attention_cell(stages, query, key)
    width = choice.sentence.config.head_width
    st.markdown(
        f"**Head {choice.layer + 1}.{choice.head + 1}: `{tokens[query]}` attends to"
        f" `{tokens[key]}`.** Three matrices make query q, key k and value v of each token, because"
        f" what a token looks for, what it is found by and what it passes on can differ: {width}"
        f" numbers each, from its vector of {choice.sentence.config.width}"
        f" numbers.{_afterwards(choice.sentence.config)}"
    )
    n_visible = query + 1 if choice.is_causal else len(tokens)
    st.latex(aligned(equations(cell, width, choice.intervention, n_visible)))
    table = vectors_table(
        {
            "q": stages.queries[query].numpy(),
            "k": stages.keys[key].numpy(),
            "q × k": cell.products.numpy(),
            "v": stages.values[key].numpy(),
            "w × v": cell.weighted_value.numpy(),
            "o": cell.output.numpy(),
        }
    )
    show_chart(
        vectors_chart(table),
        table,
        key="vectors",
        alt=f"The {width} coordinates of query, key, their products, value, weighted value and"
        f" output. The products add up to {cell.score:.2f}.",
        name=f"vectors-{query}-{key}",
    )


def _afterwards(config: TransformerLanguageModelConfig) -> str:
    """Return what a model does to queries and keys after the three matrices, before they are compared."""
    changes = []
    if config.query_key_norm:
        changes.append("scaled to one length")
    if config.position == "rotary":
        changes.append("turned by their position")
    return f" Then q and k are {' and '.join(changes)}." if changes else ""
