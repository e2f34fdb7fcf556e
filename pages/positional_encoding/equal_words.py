"""Equal words at different positions, and their outputs after the words are shuffled."""

import streamlit as st
import torch
from torch import Tensor

from lm_core.experiments.positional_encoding.equal_words import (
    WIDTH,
    WordComparison,
    attend_to_words,
    compare_equal_words,
    less_their_mean,
    split_into_words,
    word_ids,
    word_vectors,
)
from lm_core.rng import generator
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.positional_encoding.shuffled_words import draw_order, repeated, word_map
from pages.positional_encoding.words_by_encoding import TITLES, draw_all_encodings, finding_of
from pages.shared import page
from pages.shared.numbers import significant

_QUESTION = (
    "Attention has no positional encoding and no mask. Which outputs do equal words get, here the three"
    " *can*?"
)
_ANSWERS = ("Three different outputs", "The same output three times", "Two alike, one different")
_RIGHT = 1
_SENTENCE = "Can a canner can a can?"
_LONGEST = 200


def equal_words(screen: page.FirstScreen) -> None:
    """Ask whether attention distinguishes equal words, and let the class try every encoding."""
    with screen.controls:
        encoding = page.choice("encoding", "Positional encoding", TITLES, width=180)
        with st.popover("More", icon=":material/tune:"):
            typed = page.text("sentence", "Sentence", _SENTENCE)
            is_causal = page.switch("causal", "Causal mask")
            shuffle_seed = page.number("shuffle_seed", "Seed of the shuffle", 1, 999, 1)
            seed = page.number("seed", "Seed of words and head", 0, 9_999, 1)
    asked = page.ask(screen, "equal_words", _QUESTION, _ANSWERS)
    with screen.beside:
        words = page.read_and_say("sentence", typed, _words, _SENTENCE)
    tokens = word_ids(words)
    order = torch.randperm(len(words), generator=generator(int(shuffle_seed)))
    with page.model_calls:
        comparison = compare_equal_words(tokens, order, encoding, int(seed), is_causal=is_causal)
        outputs = [
            attend_to_words(ids, encoding, int(seed), is_causal=is_causal).output
            for ids in (tokens, tokens[order])
        ]
    with screen.picture:
        st.markdown(f"**{_title(comparison, words, tokens, outputs[0], asked)}**")
        is_told_apart = not asked.masks and bool(comparison.distinguished)
        before, after = st.columns(2, gap="small")
        if not is_told_apart:
            with before:
                word_map("vectors", "Word vectors", words, word_vectors(tokens, int(seed)))
        with before if is_told_apart else after:
            hidden = repeated(words) if asked.masks else []
            word_map("outputs_typed", "Outputs of attention", words, outputs[0], hidden=hidden)
        if is_told_apart:
            with after:
                _what_tells_apart(words, less_their_mean(outputs[0], tokens))
    with screen.beside:
        asked.judge(
            right=_ANSWERS[_RIGHT],
            reason="Without positions and mask, equal words get **equal outputs**, because each output is"
            " a mean over all words, and a mean has no order.",
        )
    masked = ", where the mask gives the words behind it a weight of 0" if is_causal else ""
    page.note_beside(
        screen,
        f"Each row is one word, {WIDTH} numbers. One attention head reads all words, and its output for a"
        f" word is a weighted mean of all value vectors{masked}. So what distinguishes two equal words can"
        " only be their weights.",
    )
    if asked.masks:
        return
    shuffled = tuple(words[position] for position in order.tolist())
    draw_order(comparison, words, shuffled, outputs)
    if page.switch("compare", "Compare all encodings, with and without the mask"):
        draw_all_encodings(words, tokens, order, int(seed))


def _title(
    comparison: WordComparison,
    words: tuple[str, ...],
    tokens: Tensor,
    outputs: Tensor,
    asked: page.Asked[str],
) -> str:
    if not asked.masks:
        return finding_of(comparison, words, tokens) + _how_far_apart(comparison, tokens, outputs)
    most = max(words, key=words.count)
    if words.count(most) == 1:
        return "No word occurs twice in this sentence"
    return f"*{most}* occurs {words.count(most)} times: the same vector {words.count(most)} times"


def _how_far_apart(comparison: WordComparison, tokens: Tensor, outputs: Tensor) -> str:
    """Return how far the outputs of equal words are apart: too little for a colour may still be something."""
    if not comparison.distinguished:
        return ""
    rows = (outputs[tokens == token] for token in comparison.distinguished)
    apart = max(float((row.amax(0) - row.amin(0)).max()) for row in rows)
    return f", by {significant(apart, 2)} at most: on the right, in colours of their own"


def _words(typed: str) -> tuple[tuple[str, ...], WhatWasRead]:
    words = split_into_words(page.checked_text(typed, most=_LONGEST, name="the sentence"))
    return words, sentence_as_read(typed, " ".join(words))


def _what_tells_apart(words: tuple[str, ...], parts: Tensor) -> None:
    """Draw by how much the outputs of equal words differ, in colours of its own: it may be little."""
    reach = float(parts.abs().max())
    title = f"Outputs less the mean of equal words, to ±{reach:.2f}"
    word_map("outputs_apart", title, words, parts, reach=reach)
