"""The links between a head within its block and the page about heads: the same sentence, model, head and token."""

from collections.abc import Mapping

import streamlit as st

from lm_core.analysis.residual_stream import HEADS, Stage, stages
from pages.shared.models.pretrained import PRETRAINED
from pages.shared.models.read_sentences import MODEL, Sentence, titles
from pages.shared.ui.addresses import link_to
from pages.shared.ui.controls import follow_link

MOST_TOKENS, MOST_TOKENS_PRETRAINED = 64, 32
"""Of a sentence in one block: of a pretrained model each token has three times as many numbers, in three times the layers."""
_CHOSEN = "leads_to_head"
_LED = "led_to_head"  # the head that was chosen just now


def most_tokens(model: str) -> int:
    """Return how many tokens of a sentence the page about one block reads with the model of a name."""
    return MOST_TOKENS_PRETRAINED if model == PRETRAINED else MOST_TOKENS


def links_to_heads(sentence: Sentence, heads: Mapping[tuple[int, int], str], query: int) -> None:
    """Draw a strip of heads, each of which leads to its page with the sentence and the token.

    Parameters
    ----------
    heads : mapping of (layer, head), both from 0, to what is said of each
    query : int, the token whose row is shown there
    """
    st.pills(
        "Look at a head on *Attention heads*",
        list(heads),
        format_func=heads.__getitem__,
        key=_CHOSEN,
        on_change=_note_chosen,
    )
    if (led := st.session_state.pop(_LED, None)) is not None:
        layer, head = led
        asked = {"layer": layer + 1, "head": head + 1, "query": query}
        follow_link(link_to("attention", {**_read(sentence), **asked}))


def link_to_block(sentence: Sentence, layer: int, query: int) -> None:
    """Draw the link to the block in which a head works, where the sentence is short enough for it."""
    is_snapshot = sentence.meta.snapshot_of is not None  # the block is that of the trained model
    if is_snapshot or len(sentence.symbols) > most_tokens(sentence.meta.name):
        return
    if st.button(
        f"Block {layer + 1}, end to end",
        icon=":material/view_column:",
        type="tertiary",
        key="leads_to_block",
        help="The same sentence from its tokens to the next one, with every stage of this head's block.",
    ):
        stage = stages(sentence.config).index(Stage(HEADS, layer))
        asked = {"stage": stage, "token": query}
        follow_link(link_to("transformer-block", {**_read(sentence), **asked}))


def _note_chosen() -> None:
    st.session_state[_LED] = st.session_state[_CHOSEN]
    st.session_state[_CHOSEN] = None


def _read(sentence: Sentence) -> dict[str, str]:
    """Return what a link says of a sentence and the model that reads it."""
    name = sentence.meta.name
    model = {} if name == MODEL else {"model": titles()[name]}
    return {"sentence": sentence.text, **model}
