"""What is reported of word vectors, subwords and sampling."""

from collections.abc import Sequence
from functools import partial

from lm_core.experiments.published import WORD_LOSSES, WORD_NEIGHBOURS, WORD_VOCABULARY
from lm_core.experiments.published_figures.record import (
    AS_WRITTEN,
    NOT_COMPARABLE,
    NOT_REPRODUCED,
    Ours,
    PublishedFigure,
    not_reproduced,
)
from lm_core.experiments.published_figures.sources import Sources

_NOTEBOOK = "Repository christianb93/MLLM, notebook word2vec/Word2Vec"
_SAMPLING = "Repository christianb93/MLLM, notebook sampling/TemperatureSampling"
_BLOG = "Blog series, part II: words and vector spaces"
_TRAINED = (
    f"CBOW with the full softmax on WikiText-2, {WORD_VOCABULARY:,} words, window 8, 300 numbers a"
    " word, 7 epochs of batches of 20,000"
)
_ROLES = ("context", "output"), ("centre", "input")
"""Which embedding is listed, and ours for the same role: skip-gram predicts context from centre."""
_LOOKED_AT = 10

_no_wiki = not_reproduced(
    "it needs the training part of WikiText-2, which this lab does not have; its word vectors are"
    " learned from 33 books and more."
)


def _loss(sources: Sources) -> Ours:
    meta = sources.book_vectors
    loss = meta.losses["training"]
    return Ours(
        loss,
        f"The same method on War and Peace, with {meta.recipe['width']} numbers a word and a window"
        f" of {meta.recipe['window']}, ends at {loss:.3f} nats. Another text and vocabulary have"
        " another loss.",
    )


def _seconds(sources: Sources) -> Ours:
    meta = sources.book_vectors
    return Ours(
        meta.seconds,
        f"The same method on War and Peace took {meta.seconds:,.0f} seconds on one shared processor"
        " core. Theirs is of a graphics card.",
    )


def _neighbours(word: str, embedding: str, theirs: tuple[str, ...], sources: Sources) -> Ours:
    found = sources.nearest(word, embedding, _LOOKED_AT)
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


def _share(place: int, sources: Sources) -> Ours:
    share = sources.repetitions.temperature[place]
    return Ours(share, f"The same seed gives the same numbers here: {share:.4f}.")


def _nearest(word: str, role: str, embedding: str, place: int) -> PublishedFigure:
    theirs = WORD_NEIGHBOURS[word][place]
    return PublishedFigure(
        f"neighbours-{word}-{role}",
        _NOTEBOOK,
        f"Nearest to {word}, {role} embedding",
        f"{_listed(theirs[:1])} (then {_listed(theirs[1:])})",
        f"{_TRAINED}; cosines of the vectors with which a word is a {role} word.",
        partial(_neighbours, word, embedding, tuple(other for other, _ in theirs)),
        NOT_COMPARABLE,
        "embeddings",
        {"part": "Neighbours", "word": word},
    )


FIGURES = (
    PublishedFigure(
        "word-loss",
        _NOTEBOOK,
        "word2vec: training loss of the last epoch",
        f"{WORD_LOSSES[-1]:.3f} (before: {', '.join(f'{loss:.3f}' for loss in WORD_LOSSES[:-1])})",
        f"{_TRAINED}; Adam at 0.1 falling linearly.",
        _loss,
        NOT_COMPARABLE,
        "embeddings",
        {
            "part": "Neighbours",
            "model": "CBOW with the full softmax, War and Peace",
            "word": "prince",
            "other": "princess",
        },
        "nats",
    ),
    PublishedFigure(
        "word-seconds",
        _NOTEBOOK,
        "word2vec: seconds to train",
        "57",
        f"{_TRAINED}, 8.2 seconds an epoch on a Quadro RTX 4000; the blog says two minutes.",
        _seconds,
        NOT_COMPARABLE,
        "embeddings",
        {"part": "During training"},
        "seconds",
    ),
    PublishedFigure(
        "word-vocabulary",
        _NOTEBOOK,
        "Words of WikiText-2 with a vector",
        f"{WORD_VOCABULARY:,}",
        "Words that occur at least 50 times, titles left out.",
        _no_wiki,
        NOT_REPRODUCED,
        "embeddings",
        {"part": "Map"},
    ),
    PublishedFigure(
        "word-tokens",
        _BLOG,
        "Tokens of WikiText-2, in millions",
        "2",
        "Roughly, as the data set comes.",
        _no_wiki,
        NOT_REPRODUCED,
        "embeddings",
        {"part": "Map"},
        "million",
    ),
    *(
        _nearest(word, role, embedding, place)
        for word in WORD_NEIGHBOURS
        for place, (role, embedding) in enumerate(_ROLES)
    ),
    PublishedFigure(
        "temperature-largest",
        _SAMPLING,
        "Largest of 16 probabilities, temperature 1",
        "0.2786",
        "Softmax of 16 normal numbers, seed 123; it is that of symbol 13.",
        partial(_share, 13),
        AS_WRITTEN,
        "war-and-peace",
        {"view": "1,000 draws"},
    ),
    PublishedFigure(
        "temperature-smallest",
        _SAMPLING,
        "Smallest of 16 probabilities, temperature 1",
        "0.0102",
        "Softmax of 16 normal numbers, seed 123; it is that of symbol 11.",
        partial(_share, 11),
        AS_WRITTEN,
        "war-and-peace",
        {"view": "1,000 draws"},
    ),
)
