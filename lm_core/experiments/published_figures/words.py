"""What is reported of word vectors, subwords and sampling."""

from collections.abc import Sequence

from lm_core.experiments.published import WORD_NEIGHBOURS
from lm_core.experiments.published_figures.record import Ours, reads
from lm_core.experiments.published_figures.sources import Sources

_LOOKED_AT = 10


@reads("loss_of_word_vectors")
def _loss_of_word_vectors(sources: Sources) -> Ours:
    meta = sources.book_vectors
    loss = meta.losses["training"]
    return Ours(
        loss,
        f"The same method on War and Peace, with {meta.recipe['width']} numbers a word and a window"
        f" of {meta.recipe['window']}, ends at {loss:.3f} nats. Another text and vocabulary have"
        " another loss.",
    )


@reads("seconds_of_word_vectors")
def _seconds_of_word_vectors(sources: Sources) -> Ours:
    meta = sources.book_vectors
    return Ours(
        meta.seconds,
        f"The same method on War and Peace took {meta.seconds:,.0f} seconds on one shared processor"
        " core. Theirs is of a graphics card.",
    )


@reads("neighbours")
def _neighbours(sources: Sources, word: str, embedding: str) -> Ours:
    found = sources.nearest(word, embedding, _LOOKED_AT)
    # Skip-gram predicts the context from the centre: its input embedding is that of the centre.
    context, centre = WORD_NEIGHBOURS[word]
    theirs = [other for other, _ in (centre if embedding == "input" else context)]
    shared = [other for other, _ in found if other in theirs]
    return Ours(
        found[0][1],
        f"Skip-gram on 33 books and more: {_listed(found[: len(theirs)])}. Of their four,"
        f" {len(shared)} {'is' if len(shared) == 1 else 'are'} among our {_LOOKED_AT} nearest"
        f"{': ' + ', '.join(shared) if shared else ''}.",
        words=_listed(found[:1]),
    )


def _listed(neighbours: Sequence[tuple[str, float]]) -> str:
    return ", ".join(f"{word} {cosine:.3f}" for word, cosine in neighbours)


@reads("share_at_temperature")
def _share_at_temperature(sources: Sources, place: int) -> Ours:
    share = sources.repetitions.temperature[place]
    return Ours(share, f"The same seed gives the same numbers here: {share:.4f}.")
