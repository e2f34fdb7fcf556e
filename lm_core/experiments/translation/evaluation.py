"""How good translations are: BLEU against a person's, with an interval, and by length of the sentence.

References
----------
Papineni et al. 2002, "BLEU: a Method for Automatic Evaluation of Machine Translation".
Post 2018, "A Call for Clarity in Reporting BLEU Scores" (sacreBLEU). https://arxiv.org/abs/1804.08771
Koehn 2004, "Statistical Significance Tests for Machine Translation Evaluation" (the bootstrap).
"""

from collections.abc import Sequence
from typing import NamedTuple

from lm_core.errors import SettingError
from lm_core.text.sentence_pairs import SentencePair

SAMPLES = 1_000
"""Resamples of the test set behind an interval."""

LENGTH_BANDS = ((1, 8), (9, 11), (12, 14), (15, 18), (19, 60))
"""Fewest and most words of the English sentence."""


class Bleu(NamedTuple):
    """A score of 0 to 100, with the interval that 95 % of resampled test sets fall into."""

    score: float
    low: float
    high: float
    n_sentences: int
    signature: str = ""
    """By which sacreBLEU says how it was computed: case, tokenizer, smoothing, version."""


class LengthBleu(NamedTuple):
    """The score of sentences with `fewest` to `most` words."""

    fewest: int
    most: int
    bleu: Bleu


class HeadBleu(NamedTuple):
    """The score without one head of the cross-attention, both numbers from 0."""

    layer: int
    head: int
    score: float


def bleu(translations: Sequence[str], references: Sequence[str], samples: int = SAMPLES) -> Bleu:
    """Return sacreBLEU's score of raw text: case and punctuation count, it tokenizes by itself.

    Raises SettingError if the package sacrebleu is not installed.
    """
    try:
        from sacrebleu.metrics.bleu import BLEU
    except ImportError as error:
        raise SettingError(
            "sacrebleu must be installed to score translations: pip install sacrebleu"
        ) from error
    metric = BLEU()
    found = metric.corpus_score(list(translations), [list(references)], n_bootstrap=samples)
    mean, half = (found._mean, found._ci) if samples > 1 else (found.score, 0.0)
    return Bleu(
        round(found.score, 2),
        round(mean - half, 2),
        round(mean + half, 2),
        len(translations),
        str(metric.get_signature()),
    )


def bleu_by_length(
    pairs: Sequence[SentencePair], translations: Sequence[str], samples: int = SAMPLES
) -> list[LengthBleu]:
    """Return the scores of the `LENGTH_BANDS` that have sentences."""
    found = []
    for fewest, most in LENGTH_BANDS:
        places = [i for i, p in enumerate(pairs) if fewest <= len(p.source.split()) <= most]
        if places:
            ours = [translations[i] for i in places]
            score = bleu(ours, [pairs[i].target for i in places], samples)
            found.append(LengthBleu(fewest, most, score._replace(signature="")))
    return found
