"""What is reported of attention: a printed example, layers that equal torch's, inputs in another order."""

from functools import partial

from lm_core.experiments.attention_by_hand.printed_example import (
    FOX,
    PRINTED_SCORES,
    PRINTED_WEIGHTS,
    WORDS,
    weights_of,
)
from lm_core.experiments.published import TRANSLATORS
from lm_core.experiments.published_figures.equalities import by_hand, in_another_order
from lm_core.experiments.published_figures.record import (
    AS_WRITTEN,
    NOT_COMPARABLE,
    Ours,
    PublishedFigure,
    Verdict,
    judged,
)
from lm_core.experiments.published_figures.results import (
    CROSS_ATTENTION,
    ENCODER,
    ONE_HEAD,
    TRANSFORMER,
    TWO_HEADS,
)
from lm_core.experiments.published_figures.sources import Sources

_NOTES = "Lecture notes on attention and transformers"
_LAYERS = "Repository christianb93/MLLM, notebook attention/MultiHeadSelfAttention"
_PERMUTED = "Repository christianb93/MLLM, notebook attention/PermutingTheInput"
_HAND, _TRANSLATION = "attention-by-hand", "encoder-decoder"
_QUICK, _JUMPS = 1, 4
_HIGHEST = max(range(len(WORDS)), key=PRINTED_WEIGHTS.__getitem__)


def _printed_weight(sources: Sources) -> Ours:
    del sources
    weight = float(weights_of(PRINTED_SCORES, FOX)[_HIGHEST])
    return Ours(
        weight,
        f"The softmax of the printed scores gives {WORDS[_HIGHEST]} {weight:.3f}, not"
        f" {PRINTED_WEIGHTS[_HIGHEST]:.2f}. {WORDS[_QUICK]} and {WORDS[_JUMPS]} have the same score, but the"
        f" printed weights {PRINTED_WEIGHTS[_QUICK]:.2f} and {PRINTED_WEIGHTS[_JUMPS]:.2f}.",
    )


def _query(sources: Sources) -> Ours:
    queries = sources.repetitions.queries
    return Ours(
        queries[-1],
        f"Our layer with these weights has the queries {', '.join(f'{q:g}' for q in queries)}.",
    )


def _bleu(recipe: str, sources: Sources) -> Ours:
    models = sources.translators(recipe)
    scores = [model.beam.score for model in models]
    mean = sum(scores) / len(scores)
    spread = (
        (min(scores), max(scores)) if len(scores) > 1 else (models[0].beam.low, models[0].beam.high)
    )
    how = f"{len(scores)} seeds" if len(scores) > 1 else "95 % of resampled test sets"
    return Ours(
        mean,
        f"{models[0].title} here has {mean:.1f} ({spread[0]:.1f} to {spread[1]:.1f}, {how}) on 1,000"
        " captions of the Flickr 2016 test set, English to French.",
        *spread,
        len(scores),
    )


_TRANSLATION_DOCUMENTS = (
    "Model card of opus-mt-tc-big-en-fr",
    *("fastai's course on language processing, translation with seq2seq",) * 3,
)
_ALIKE = ("translation-transformer", "translation-one-vector", "translation-attention-early",
          "translation-transformer")  # fmt: skip
"""Which of our trainings stands beside each of the first published translators."""

FIGURES = (
    PublishedFigure(
        "printed-weight",
        _NOTES,
        "Attention weight of brown for the query fox",
        f"{PRINTED_WEIGHTS[_HIGHEST]:.2f} (of {', '.join(f'{w:.2f}' for w in PRINTED_WEIGHTS[:5])} and zeros)",
        f"Softmax of the printed scores {', '.join(f'{score:g}' for score in PRINTED_SCORES)}.",
        _printed_weight,
        AS_WRITTEN,
        _HAND,
        {"part": "A printed example"},
    ),
    by_hand(
        "one-head-by-hand",
        _LAYERS,
        "Attention by hand equals torch's, one head",
        "Width 3, one head, two tokens, the same weights.",
        _HAND,
        ONE_HEAD,
    ),
    by_hand(
        "two-heads-by-hand",
        _LAYERS,
        "Attention by hand equals torch's, two heads",
        "Width 4, two heads, two tokens, the same weights.",
        _HAND,
        TWO_HEADS,
    ),
    PublishedFigure(
        "worked-query",
        _LAYERS,
        "Last query number of a worked example",
        "3,050 (of 530, 1,370, 2,210, 3,050)",
        "Weights 1 to 48 in rows of four, the input 51, 52, 53, 54.",
        _query,
        AS_WRITTEN,
        _HAND,
        {"part": "Small matrices"},
    ),
    in_another_order(
        "permuted-encoder",
        _PERMUTED,
        "An encoder's output follows its reversed input",
        "Encoder layer of width 8 with 4 heads, 4 tokens in reversed order.",
        ENCODER,
    ),
    in_another_order(
        "permuted-cross-attention",
        _PERMUTED,
        "Cross-attention ignores the order of its text",
        "Width 8, 4 heads, 3 queries on 4 tokens in reversed order.",
        CROSS_ATTENTION,
    ),
    in_another_order(
        "permuted-transformer",
        _PERMUTED,
        "A whole transformer ignores the order of its source",
        "Encoder-decoder transformer of width 8, 4 tokens in reversed order, torch.allclose.",
        TRANSFORMER,
        written="False",
        rule=judged(Verdict.DOES_NOT_HOLD),
    ),
    *(
        PublishedFigure(
            f"bleu-{place}",
            document,
            f"BLEU: {translator.title}",
            f"{translator.bleu:.1f}",
            f"{translator.doubt[0].upper()}{translator.doubt[1:]}.",
            partial(_bleu, recipe),
            NOT_COMPARABLE,
            _TRANSLATION,
            {"part": "Vector size"},
            "BLEU",
        )
        for place, (translator, document, recipe) in enumerate(
            zip(TRANSLATORS, _TRANSLATION_DOCUMENTS, _ALIKE, strict=False)
        )
    ),
)
