"""A word's nearest neighbours in both tables, and the numbers of one pair."""

import streamlit as st

from lm_core.experiments.published import WORD_LOSSES, WORD_NEIGHBOURS, WORD_VOCABULARY
from pages.embeddings.from_the_mean import mean_subtracted
from pages.embeddings.nearest import N, neighbours_of
from pages.embeddings.vectors import INPUT, OUTPUT, is_own, is_skip_gram, tables_of
from pages.embeddings.ways import sentence_search, way_between
from pages.embeddings.word_choice import Choice, follow_click
from pages.shared import page
from pages.shared.charts import word_vectors
from pages.shared.charts.palette import BLUE, ORANGE

_COLOURS = {INPUT: BLUE, OUTPUT: ORANGE}


def neighbours(choice: Choice, screen: page.FirstScreen) -> None:
    """Draw the neighbours in both tables side by side, then the pair's numbers and the mean."""
    with screen.picture:
        tables = tables_of(choice.meta)
        for column, table in zip(st.columns(len(tables), gap="medium"), tables, strict=True):
            with column:
                _one_table(choice, table)
    with screen.beside:
        mean_subtracted(choice)
    _explain(choice)
    _strips(choice)
    _pair(choice)
    page.below("A way from word to word", "word_way", way_between, choice, icon="route")
    page.below("Sentences by their mean", "sentence_search", sentence_search, choice, icon="search")


def what_it_is(choice: Choice, table: str) -> str:
    """Return in a few words which role of a word an embedding is for."""
    if is_own(choice.meta):
        return "your file holds one vector for each word"
    is_centre = (table == INPUT) == is_skip_gram(choice.meta)
    place = "the centre word" if is_centre else "a context word"
    return f"{place}, {'from which is predicted' if table == INPUT else 'which is predicted'}"


def _one_table(choice: Choice, table: str) -> None:
    found = neighbours_of(choice, table)
    words = [choice.vocabulary.words[each.id] for each in found]
    cosines = [each.cosine for each in found]
    counts = [choice.vocabulary.counts[each.id] for each in found]
    frame = word_vectors.neighbour_frame(words, cosines, counts)
    finding = (
        f"{table.capitalize()}: nearest to {choice.name} is {words[0]}, cosine {cosines[0]:.3f}"
    )
    st.markdown(f"**{finding}**  \n{choice.name} as {what_it_is(choice, table)}")
    chosen = page.show_chart(
        word_vectors.neighbour_bars(frame, _COLOURS[table], chosen=choice.other_name),
        key=f"bars_{table}",
        alt=f"{finding}. Then "
        + ", ".join(f"{w} {c:.3f}" for w, c in zip(words[1:], cosines[1:], strict=True)),
        name=f"neighbours-{choice.name}-{table}",
        selectable=True,
    )
    follow_click(f"bars_{table}", word_vectors.picked_word(chosen), "other")


def _explain(choice: Choice) -> None:
    if is_own(choice.meta):
        st.markdown(
            "These are the neighbours of your own vectors: words whose vectors point the same way, because"
            " they had similar contexts in the text that the vectors were learned from. Compare them with"
            " the lab's own vectors, under *More*. Click a bar to compare."
        )
        return
    both = {each.id for each in neighbours_of(choice, INPUT)} & {
        each.id for each in neighbours_of(choice, OUTPUT)
    }
    names = "Skip-gram predicts context words from the centre word"
    if not is_skip_gram(choice.meta):
        names = "CBOW predicts the centre word from its context words"
    st.markdown(
        "Every word has two vectors: an *input embedding*, from which the model predicts, and an"
        " *output embedding*, which is predicted. It has two because a word seldom appears in its"
        " own context: with a single vector, its product with itself would have to be small."
        f" {names}. **{choice.name}** occurs {choice.vocabulary.counts[choice.word]:,} times in the"
        f" text; {len(both)} of its {N} nearest words are the same in both. Click a bar to compare."
    )
    if choice.name in WORD_NEIGHBOURS:
        context, centre = (
            ", ".join(f"{word} {cosine:.3f}" for word, cosine in listed)
            for listed in WORD_NEIGHBOURS[choice.name]
        )
        st.caption(
            f"Published for {choice.name}: input (context) {context}; output (centre) {centre}.",
            help=f"Blog series, part II, and its notebook: CBOW trained on WikiText-2, 300 numbers for each of"
            f" {WORD_VOCABULARY:,} words. Its loss fell from {WORD_LOSSES[0]:.3f} nats in the first of"
            f" {len(WORD_LOSSES)} passes to {WORD_LOSSES[-1]:.3f} in the last.",
        )


def _strips(choice: Choice) -> None:
    """Draw the numbers of the chosen words' input embeddings."""
    ids = [choice.word, *([] if choice.other in (None, choice.word) else [choice.other])]
    words = [choice.vocabulary.words[i] for i in ids]
    vectors = choice.space().unit(ids).numpy()
    frame = word_vectors.vector_frame(words, vectors)
    finding = f"{' and '.join(words)}: {vectors.shape[1]} numbers each, at length 1"
    st.markdown(f"**{finding}**")
    page.show_chart(
        word_vectors.vector_strips(frame),
        key="vector_strips",
        alt=f"{finding}. {words[0]} begins {', '.join(f'{x:.3f}' for x in vectors[0, :3])}.",
        name=f"vectors-{'-'.join(words)}",
    )


def _pair(choice: Choice) -> None:
    if choice.other is None:
        return
    st.header(f"The cosine of {choice.name} and {choice.other_name}", anchor=False)
    tables = tables_of(choice.meta)
    for column, table in zip(st.columns(len(tables), gap="medium"), tables, strict=True):
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
        f"*a* is the vector of {choice.name}, *b* that of {choice.other_name}, {width} numbers"
        " each. *a · b* adds up the products of their numbers, and is divided by both lengths, so"
        " that only the angle counts. A cosine of 1 is the same direction, 0 a right angle, −1 the"
        " opposite."
    )
