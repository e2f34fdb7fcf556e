"""What is reported of attention: a printed example, layers that equal torch's, inputs in another order."""

from lm_core.experiments.attention_by_hand.printed_example import (
    FOX,
    PRINTED_SCORES,
    PRINTED_WEIGHTS,
    WORDS,
    weights_of,
)
from lm_core.experiments.published_figures.record import Ours, reads
from lm_core.experiments.published_figures.sources import Sources

_QUICK, _JUMPS = 1, 4
_HIGHEST = max(range(len(WORDS)), key=PRINTED_WEIGHTS.__getitem__)


@reads("printed_weight")
def _printed_weight(_: Sources) -> Ours:
    weight = float(weights_of(PRINTED_SCORES, FOX)[_HIGHEST])
    return Ours(
        weight,
        f"The softmax of the printed scores gives {WORDS[_HIGHEST]} {weight:.3f}, not"
        f" {PRINTED_WEIGHTS[_HIGHEST]:.2f}. {WORDS[_QUICK]} and {WORDS[_JUMPS]} have the same score, but the"
        f" printed weights {PRINTED_WEIGHTS[_QUICK]:.2f} and {PRINTED_WEIGHTS[_JUMPS]:.2f}.",
    )


@reads("last_query")
def _last_query(sources: Sources) -> Ours:
    queries = sources.repetitions.queries
    return Ours(
        queries[-1],
        f"Our layer with these weights has the queries {', '.join(f'{q:g}' for q in queries)}.",
    )


@reads("bleu")
def _bleu(sources: Sources, recipe: str) -> Ours:
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
