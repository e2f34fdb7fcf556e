"""Words that keep the same company: their map, and what two of them share."""

import numpy as np
import streamlit as st

from lm_core.experiments.neural_language_model.sentences import words_after
from pages.neural_language_model.few_sentences import Asked, Learned
from pages.shared.charts.word_maps import map_frame, word_map
from pages.shared.ui.figures import show_chart
from pages.shared.ui.markdown import as_code

_AKIN = 2
_ROOM = 0.2
_GROWTH = 1.6  # the map is half as wide as those for which its names are laid out
HEIGHT = 270


def rarest_of(learned: Learned, asked: Asked) -> int:
    """Return the word of a context that the sentences have least often: what it is about."""
    ids = learned.corpus.ids
    return min(asked.ids, key=lambda word: int((ids == word).sum()))


def akin_to(learned: Learned, word: int) -> list[tuple[int, float]]:
    """Return the words that some same word follows, the nearest at the end of the training first."""
    corpus, last = learned.corpus, learned.snapshots[-1]
    own = words_after(corpus, word)
    akin = [i for i in range(1, len(corpus.words)) if i != word and own & words_after(corpus, i)]
    return sorted(((i, last.distance(word, i)) for i in akin), key=lambda pair: pair[1])[:_AKIN]


def draw_map(learned: Learned, asked: Asked, i: int) -> None:
    """Draw the embeddings, all steps on the same axes."""
    words, snapshot = learned.corpus.words, learned.snapshots[i]
    chosen = rarest_of(learned, asked)
    akin = [word for word, _ in akin_to(learned, chosen)]
    said = ", ".join(f"{snapshot.distance(chosen, k):.2f} from {as_code(words[k])}" for k in akin)
    st.markdown(
        f"**{as_code(words[chosen])} is {said}**" if said else f"**{as_code(words[chosen])}**"
    )
    every = np.concatenate([s.embedding.numpy() for s in learned.snapshots])
    low, high = every.min(0) - _ROOM, every.max(0) + _ROOM
    frame = map_frame(
        words[1:],
        snapshot.embedding[1:].numpy(),
        [""] * (len(words) - 1),
        chosen=chosen - 1,
        near=[k - 1 for k in akin[:1]],
        far=[k - 1 for k in akin[1:]],
    )
    show_chart(
        word_map(
            frame,
            titles=("first number", "second number"),
            bounds=((low[0], high[0]), (low[1], high[1])),
            height=HEIGHT,
            text_growth=_GROWTH,
        ),
        frame[["word", "x", "y"]],
        key="dog_and_cat_map",
        alt=f"Distances of {words[chosen]} from other words: "
        + ", ".join(f"{words[k]} {snapshot.distance(chosen, k):.2f}" for k in akin),
        name="word-map",
        is_small=True,
    )


def draw_shared(learned: Learned, asked: Asked) -> str:
    """Return which words follow both the word that the context is about and those akin to it."""
    corpus, chosen = learned.corpus, rarest_of(learned, asked)
    own = words_after(corpus, chosen)

    def listed(ids: frozenset[int]) -> str:
        return ", ".join(as_code(corpus.words[i]) for i in sorted(ids)) or "nothing"

    lines = [
        f"In the sentences {as_code(corpus.words[chosen])} is followed by {listed(own)}. The more"
        " of these another word shares, the more alike their numbers mostly become, because the same"
        " predictions have to follow."
    ]
    for word, _ in akin_to(learned, chosen):
        after = words_after(corpus, word)
        lines.append(
            f"- {as_code(corpus.words[word])} shares {listed(own & after)}; alone it has"
            f" {listed(after - own)}."
        )
    return "\n".join(lines)
