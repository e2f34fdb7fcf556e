"""Neighbours and cosines once the mean of all vectors is subtracted."""

import streamlit as st

from pages.embeddings.nearest import N, neighbours_of
from pages.embeddings.vectors import mean_cosine, space_of, tables_of
from pages.embeddings.word_choice import Choice
from pages.shared import page

_MEANS = ("About 0 in both embeddings", "Far above 0 in at least one", "Below 0 in at least one")
_NEAR_0 = 0.1  # a mean cosine that is nearer to 0 counts as about 0


def mean_subtracted(choice: Choice) -> None:
    """Say what the mean of all vectors does to cosines, and ask about it."""
    asked = page.ask(
        None,
        "mean",
        "Two random words of the vocabulary: how large is the cosine of their vectors on average?",
        _MEANS,
    )
    if asked.masks:
        return
    tables = tables_of(choice.meta)
    plain, centred = (
        [mean_cosine(choice.meta, table, subtract_mean=without) for table in tables]
        for without in (False, True)
    )
    about, above, below = _MEANS
    right = [above] * (max(plain) > _NEAR_0) + [below] * (min(plain) < -_NEAR_0) or about
    parts = [
        f"*{table}* **{with_it:.3f}**, without the mean {without_it:.3f}"
        for table, with_it, without_it in zip(tables, plain, centred, strict=True)
    ]
    is_nearer = all(abs(less) <= abs(with_it) for with_it, less in zip(plain, centred, strict=True))
    asked.judge(
        right=right,
        reason=f"The mean cosine is: {'; '.join(parts)}. Subtracting the mean takes away what all vectors share"
        + (
            ", so the second number is nearer to 0."
            if is_nearer
            else "; here that was next to nothing."
        ),
    )
    if page.is_presenting():
        return
    st.markdown(
        "What all vectors have in common says nothing about any of them, but it raises nearly all cosines."
        " So a cosine of one embedding cannot be compared with one of the other. **Subtract the mean**"
        " removes the common part. Some programs do so silently; here it is off unless you turn it on."
    )
    st.markdown(_with_and_without(choice))


def _with_and_without(choice: Choice) -> str:
    """Say what the mean does to the chosen word's neighbours and to the chosen pair."""
    sentences = []
    for table in tables_of(choice.meta):
        same = _same_neighbours(choice, table)
        text = f"*{table}*: {same} of {N} neighbours of {choice.name} stay the same"
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
    return (
        f"Without the mean, {'; '.join(sentences)}. A neighbour that goes was one only because all"
        " vectors have a part in common."
    )


def _same_neighbours(choice: Choice, table: str) -> int:
    plain, centred = (
        {each.id for each in neighbours_of(choice._replace(subtract_mean=without), table)}
        for without in (False, True)
    )
    return len(plain & centred)
