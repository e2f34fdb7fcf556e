"""What is reported of n-grams, of Bengio's model on names, of taggers, and of a unit that computes XOR."""

from functools import partial

import torch

from lm_core.experiments.part_of_speech_tagging.settings import RECURRENT
from lm_core.experiments.published import (
    MAKEMORE_BIGRAMS,
    MAKEMORE_MLP,
    MAKEMORE_STARTS,
    TAGGERS,
    PublishedTagger,
)
from lm_core.experiments.published_figures.record import (
    AS_WRITTEN,
    NOT_COMPARABLE,
    Ours,
    PublishedFigure,
    within,
)
from lm_core.experiments.published_figures.sources import Sources
from lm_core.models.perceptron import XOR_NETWORK

_MAKEMORE = "Repository karpathy/nn-zero-to-hero, makemore"
_POST = "Blog post on Bengio's model"
_SLIDES = "Lecture slides, part 2"
_PAGE = "neural-language-model"
_NATS = "nats a letter"
_STARTS = {
    "normal": "all weights normal",
    "small-output": "small output weights",
    "scaled": "weights scaled by their inputs",
}
_TWO_SEEDS = within(0.02, "two seeds of one training of such a network are less far apart")
_TAGGER_NAMES = ("HMM, Brown corpus", "HMM by hand, 44 tags", "Bidirectional LSTM, newspaper")


def _contexts(sources: Sources) -> Ours:
    score = sources.n_grams_of_names(4)
    return Ours(
        score.possible,
        f"{score.possible:,} contexts of three symbols could be, and {score.seen:,} occur in the names.",
    )


def _bigrams(sources: Sources) -> Ours:
    loss = sources.bigrams_of_all_names
    return Ours(
        loss,
        f"Counting gives {loss:.4f}, below which no bigram model can go on these names. Theirs is of a"
        " network that was still being trained.",
    )


def _by_context(context: int, sources: Sources) -> Ours:
    trained = sources.network_on_names(context)
    return Ours(
        trained.validation,
        f"Our network of the same sizes has {trained.validation:.3f} ({trained.train:.3f} on what it"
        f" learned from), after {trained.config.steps:,} steps of {trained.config.batch} with AdamW:"
        " another training.",
    )


def _start(name: str, sources: Sources) -> Ours:
    trained = sources.start_on_names(name)
    return Ours(
        trained.validation,
        f"One training of ours by the same recipe has {trained.validation:.4f}, and"
        f" {trained.train:.4f} on what it learned from.",
    )


def _dead(sources: Sources) -> Ours:
    normal = sources.start_on_names("normal").snapshots[-1].saturation
    scaled = sources.start_on_names("scaled").snapshots[-1].saturation
    return Ours(
        100 * normal.dead,
        f"Here the share is taken over all held-out names: {normal.dead:.0%} of the units are saturated"
        f" for each of them. Of all responses {normal.saturated:.0%} are, started from normal weights,"
        f" and {scaled.saturated:.0%} from scaled ones.",
    )


def _tagger(sources: Sources) -> Ours:
    scores = [100 * share for share in sources.right_tags(RECURRENT)]
    return Ours(
        sum(scores) / len(scores),
        f"Our bidirectional LSTM has {min(scores):.2f} to {max(scores):.2f} % of the words of 50 texts of"
        f" the Brown corpus right, with twelve tags; counting alone"
        f" {100 * sources.tags_by_counting:.2f} %.",
        min(scores),
        max(scores),
        len(scores),
    )


def _written(tagger: PublishedTagger) -> str:
    written = f"{100 * tagger.every:.2f}"
    if tagger.seen is None or tagger.unseen is None:
        return written
    return f"{written} (seen words {100 * tagger.seen:.2f}, unseen {100 * tagger.unseen:.2f})"


def _xor_sum(sources: Sources) -> Ours:
    del sources
    total = float(XOR_NETWORK.first.sums(torch.ones(2, dtype=torch.float64)))
    return Ours(total, f"The unit of the page has {total:g} there, so its output is 1.")


FIGURES = (
    PublishedFigure(
        "contexts-of-three",
        _POST,
        "Contexts of three letters",
        f"{27**3:,} (27³)",
        "26 letters and the end of a name.",
        _contexts,
        AS_WRITTEN,
        "n-grams",
        {"part": "Unseen", "counted": "Names"},
    ),
    PublishedFigure(
        "makemore-bigrams",
        f"{_MAKEMORE} part 1",
        "Bigrams of all names",
        f"{MAKEMORE_BIGRAMS:.4f}",
        "A network of one layer, at the end of its training on all 32,033 names.",
        _bigrams,
        NOT_COMPARABLE,
        "n-grams",
        {"part": "As a network"},
        _NATS,
    ),
    *(
        PublishedFigure(
            f"makemore-context-{context}",
            f"{_MAKEMORE} part {part}",
            f"Names, {context} letters of context: validation",
            f"{validation:.3f} (training {training:.3f})",
            f"10 numbers a letter, 200 hidden units{extra}.",
            partial(_by_context, context),
            NOT_COMPARABLE,
            _PAGE,
            {"part": "Sizes"},
            _NATS,
        )
        for (context, (training, validation)), part, extra in zip(
            MAKEMORE_MLP.items(), (2, 5), ("", ", batch normalisation"), strict=True
        )
    ),
    *(
        PublishedFigure(
            f"makemore-start-{name}",
            f"{_MAKEMORE} part 3",
            f"Names, {_STARTS[name]}: validation",
            f"{validation:.{digits}f} (training {training:.{digits}f})",
            "3 letters of context, 10 numbers a letter, 200 hidden units, 200,000 steps of 32 names.",
            partial(_start, name),
            _TWO_SEEDS,
            _PAGE,
            {"part": "Saturation"},
            _NATS,
        )
        for (name, (training, validation)), digits in zip(
            MAKEMORE_STARTS.items(), (4, 2, 4), strict=True
        )
    ),
    PublishedFigure(
        "most-saturated-unit",
        _POST,
        "Largest share of a batch that saturates a unit",
        "75",
        "tanh units of a network on names, beyond ±0.99, in the last batch of the training.",
        _dead,
        NOT_COMPARABLE,
        _PAGE,
        {"part": "Saturation"},
        "%",
    ),
    *(
        PublishedFigure(
            f"tagger-{place}",
            tagger.title,
            f"Right tags: {name}",
            _written(tagger),
            f"{tagger.doubt[0].upper()}{tagger.doubt[1:]}.",
            _tagger,
            NOT_COMPARABLE,
            "part-of-speech-tagging",
            {"part": "Window"},
            "%",
        )
        for place, (tagger, name) in enumerate(zip(TAGGERS, _TAGGER_NAMES, strict=True))
    ),
    PublishedFigure(
        "xor-sum",
        _SLIDES,
        "Sum of the first XOR unit at (1, 1)",
        "0.5",
        "Weights 1 and 1, bias -1.5.",
        _xor_sum,
        AS_WRITTEN,
        "perceptron",
        {"part": "By hand"},
    ),
)
