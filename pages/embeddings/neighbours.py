"""A word's nearest neighbours in both tables, and the numbers of one pair."""

import streamlit as st

from lm_core.analysis.word_space import Neighbour
from lm_core.experiments.published import WORD_LOSSES, WORD_NEIGHBOURS, WORD_VOCABULARY
from pages.embeddings.choices import Choice, follow_click
from pages.embeddings.library import (
    INPUT,
    OUTPUT,
    TABLES,
    is_skip_gram,
    mean_cosine,
    models,
    space_of,
)
from pages.shared import charts
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal

N = 10
_COLOURS = {INPUT: BLUE, OUTPUT: ORANGE}


def neighbours_of(choice: Choice, table: str) -> list[Neighbour]:
    """Return the chosen word's nearest words in one of the tables."""
    meta = choice.meta
    return _neighbours(
        meta.name, meta.weights_sha256, table, choice.subtract_mean, choice.among, choice.word
    )


@st.cache_data(max_entries=1_024, show_spinner=False)
def _neighbours(
    name: str, weights_sha256: str, table: str, subtract_mean: bool, among: int | None, word: int
) -> list[Neighbour]:
    del weights_sha256  # part of the key
    space = space_of(models()[name], table, subtract_mean=subtract_mean)
    return space.nearest(space.unit([word])[0], N, exclude=[word], among=among)


def neighbours(choice: Choice) -> None:
    """Draw the neighbours in both tables side by side, then the pair's numbers and the mean."""
    for column, table in zip(st.columns(2, gap="medium"), TABLES, strict=True):
        with column:
            _one_table(choice, table)
    _explain(choice)
    _pair(choice)
    _mean(choice)


def what_it_is(choice: Choice, table: str) -> str:
    """Return in a few words what a table's vectors are for."""
    in_the_middle = (table == INPUT) == is_skip_gram(choice.meta)
    place = "the word in the middle" if in_the_middle else "a neighbour"
    return f"{place}, {'which is read' if table == INPUT else 'which is to be told'}"


def _one_table(choice: Choice, table: str) -> None:
    found = neighbours_of(choice, table)
    words = [choice.vocabulary.words[each.id] for each in found]
    cosines = [each.cosine for each in found]
    counts = [choice.vocabulary.counts[each.id] for each in found]
    frame = charts.neighbour_frame(words, cosines, counts)
    finding = f"{table}: nearest to {choice.name} is {words[0]}, cosine {cosines[0]:.3f}"
    st.markdown(f"**{finding}**  \n{choice.name} as {what_it_is(choice, table)}")
    chosen = show_chart(
        charts.neighbour_bars(frame, _COLOURS[table], chosen=choice.other_name),
        frame,
        key=f"bars_{table}",
        alt=f"{finding}. Then "
        + ", ".join(f"{w} {c:.3f}" for w, c in zip(words[1:], cosines[1:], strict=True)),
        name=f"neighbours-{choice.name}-{table}",
        selectable=True,
    )
    follow_click(f"bars_{table}", charts.picked_word(chosen), "other")


def _explain(choice: Choice) -> None:
    both = {each.id for each in neighbours_of(choice, INPUT)} & {
        each.id for each in neighbours_of(choice, OUTPUT)
    }
    names = "Skip-gram reads the word in the middle and tells its neighbours"
    if not is_skip_gram(choice.meta):
        names = "CBOW reads the neighbours and tells the word in the middle"
    st.markdown(
        f"Every word has **two vectors**. {names}: one table is *input*, the other is *output*. The"
        " source, which trains CBOW, calls what is read the *context* embedding and what is asked"
        f" the *centre* embedding. {len(both)} of {N} neighbours of **{choice.name}**, which stands"
        f" {choice.vocabulary.counts[choice.word]:,} times in the text, are the same in both. Click a"
        " bar to compare."
    )
    if choice.name in WORD_NEIGHBOURS:
        context, centre = (
            ", ".join(f"{word} {cosine:.3f}" for word, cosine in listed)
            for listed in WORD_NEIGHBOURS[choice.name]
        )
        st.caption(
            f"The source's {choice.name}, from WikiText-2: context {context}; centre {centre}. Its CBOW"
            f" has 300 numbers for each of {WORD_VOCABULARY:,} words; the loss fell from"
            f" {WORD_LOSSES[0]:.3f} nats in the first of {len(WORD_LOSSES)} passes to"
            f" {WORD_LOSSES[-1]:.3f} in the last."
        )


def _pair(choice: Choice) -> None:
    if choice.other is None:
        return
    st.subheader(f"The cosine of {choice.name} and {choice.other_name}", anchor=False)
    for column, table in zip(st.columns(2, gap="medium"), TABLES, strict=True):
        numbers = choice.space(table).pair(choice.word, choice.other)
        a, b = numbers.lengths
        with column:
            st.latex(
                rf"\begin{{aligned}} \cos_{{\text{{{table}}}}}(a, b) &= \frac{{a \cdot b}}"
                rf"{{\lVert a \rVert\, \lVert b \rVert}} \\[8pt] &= \frac{{{numbers.dot:.3f}}}"
                rf"{{{a:.3f} \cdot {b:.3f}}} = \mathbf{{{numbers.cosine:.3f}}} \end{{aligned}}"
            )
    width = choice.space().vectors.shape[1]
    st.markdown(
        f"*a* is the vector of {choice.name}, *b* that of {choice.other_name}, {width} numbers each."
        " *a · b* adds up the products of their numbers; dividing by both lengths leaves the angle:"
        " 1 is the same direction, 0 a right angle, −1 the opposite."
    )


def _mean(choice: Choice) -> None:
    prediction = predict_then_reveal(
        "mean",
        "Two words are drawn blindly from the vocabulary. How large is the cosine of their vectors"
        " on average?",
        (
            "About 0 in both tables",
            "Far above 0 in at least one table",
            "Below 0 in at least one table",
        ),
    )
    if not prediction.revealed:
        return
    parts = []
    for table in TABLES:
        plain, centred = (
            mean_cosine(choice.meta, table, subtract_mean=without) for without in (False, True)
        )
        parts.append(f"in the *{table}* table **{plain:.3f}**, with the mean off {centred:.3f}")
    st.markdown(
        f"The mean cosine of two words drawn blindly is {', '.join(parts)}. What all vectors have in"
        " common says nothing about any of them, but it makes all cosines larger: a cosine of one"
        " table cannot be held against one of another. **Subtract the mean** takes the common part"
        " off. Some programs do so silently; here it is the switch above, and off unless you turn it"
        " on."
    )
    st.markdown(_with_and_without(choice))


def _with_and_without(choice: Choice) -> str:
    """Say what the mean does to the chosen word's neighbours and to the chosen pair."""
    sentences = []
    for table in TABLES:
        same = _same_neighbours(choice, table)
        text = f"*{table}*: {same} of {N} neighbours of {choice.name} stay"
        if choice.other is not None:
            plain, centred = (
                space_of(choice.meta, table, subtract_mean=without)
                .pair(choice.word, choice.other)
                .cosine
                for without in (False, True)
            )
            text += (
                f", and its cosine with {choice.other_name} goes from {plain:.3f} to {centred:.3f}"
            )
        sentences.append(text)
    return f"Without the mean, {'; '.join(sentences)}."


def _same_neighbours(choice: Choice, table: str) -> int:
    plain, centred = (
        {each.id for each in neighbours_of(choice._replace(subtract_mean=without), table)}
        for without in (False, True)
    )
    return len(plain & centred)
