"""What a language costs: the tokens of one sentence in ten languages, by an old and a new tokenizer."""

import streamlit as st

from lm_core.text.tokenizers.tokenizer import tokenize
from pages.shared import page
from pages.shared.charts.tokens import cost_chart, cost_frame
from pages.shared.components.texts import number_of_tokens
from pages.shared.models.tokenizers import CHATGPT, GPT2, published_tokenizer
from pages.tokenization.examples import LANGUAGES

_ASKED = "Hindi"
_OPTIONS = {
    "About as many": page.Answer(0.75, 1.0),
    "About half as many": page.Answer(0.25, 0.5),
    "Fewer than a quarter": page.Answer(0.0, 0.2),
}
"""The answers to choose from, by the share of the older tokenizer's tokens."""


@st.cache_data(max_entries=1, show_spinner=False)
def _costs() -> dict[str, dict[str, int]]:
    """Return the tokens of each language's sentence, by tokenizer."""
    return {
        name: {
            language: len(tokenize(published_tokenizer(name), sentence))
            for language, sentence in LANGUAGES.items()
        }
        for name in (GPT2, CHATGPT)
    }


@page.fragment
def cost_by_language() -> None:
    """Ask how the cost of a language has changed, then draw the cost of all."""
    st.header("What does a language cost?", anchor=False)
    costs = _costs()
    old, new = costs[GPT2], costs[CHATGPT]
    left, right = st.columns([2.6, 1.0], gap="medium")
    with right:
        asked = page.ask(
            None,
            "languages",
            f"GPT-2 needs {old[_ASKED]} tokens for the {_ASKED} sentence. How many does ChatGPT need?",
            _OPTIONS,
            right=new[_ASKED] / old[_ASKED],
            reason=f"**{new[_ASKED]}** instead of {old[_ASKED]}. GPT-2's merges were learned from English"
            " pages, so that few of its tokens are longer than a letter of another script: it"
            " spells Russian about letter by letter, and cuts letters of Hindi into bytes. The newer vocabulary is four times as large"
            " and was learned from many languages.",
            has_key=False,
        )
        if not asked.masks:
            _explain(new)
    shown = {} if asked.masks else new
    dearest = max(old, key=old.__getitem__)
    finding = (
        f"The same sentence: {number_of_tokens(old['English'])} in English, {old[dearest]} in"
        f" {dearest} for GPT-2"
    )
    if not asked.masks:
        finding += f"; {new['English']} and {new[dearest]} for ChatGPT"
    expected = asked.value and (_ASKED, asked.value.typical * old[_ASKED])
    frame = cost_frame(old, shown)
    with left:
        st.markdown(f"**{finding}**")
        page.show_chart(
            cost_chart(frame, names=(GPT2, "ChatGPT"), guess=expected),
            frame,
            key="language_costs",
            alt=f"{finding}.",
            name="tokens-by-language",
        )


def _explain(new: dict[str, int]) -> None:
    dearest = max(new, key=new.__getitem__)
    st.markdown(
        f"Even now {dearest} takes {new[dearest] / new['English']:.1f} times the tokens of English,"
        " so anyone who pays per token pays that much more, and less text fits into the model's"
        " window."
    )
