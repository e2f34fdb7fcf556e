"""Figures that others have published, kept apart from everything measured here.

Most are of the blog series and repository christianb93/MLLM. Where the repository's
own published weights were scored again under our protocols, that is said.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class ReferenceScore:
    """A loss on the validation tenth of War and Peace, measured by others or on others' weights.

    Attributes
    ----------
    title : str
    cold, carried, carried_novel_only : float or None
        Nats per character under protocols A, B and B' of `lm_core.training.evaluation`.
    origin : str
        Who measured what.
    """

    title: str
    cold: float | None
    carried: float | None
    carried_novel_only: float | None
    origin: str


SOURCE_LSTM = ReferenceScore(
    "Published LSTM 4 x 128",
    1.2697,
    1.2131,
    1.1570,
    "their published weights, scored again under A, B and B'; they report about 1.27 (A)",
)

WAR_AND_PEACE = (
    SOURCE_LSTM,
    ReferenceScore(
        "Published LSTM mixed with an n-gram",
        None,
        1.1387,
        1.1014,
        "0.6 of their LSTM's probability and 0.4 of a Kneser-Ney n-gram's",
    ),
    ReferenceScore(
        "n-gram, 9 characters",
        None,
        1.2176,
        1.1825,
        "interpolated modified Kneser-Ney on the same split",
    ),
)

RECALL_LENGTHS = (4, 6, 8, 10, 12, 14, 16, 18)
RECALL_RNN = (1.0, 1.0, 0.9940, 0.9900, 0.9260, 0.8313, 0.5948, 0.5769)
RECALL_LSTM = (1.0,) * 8
"""Notebook MeasuringRNNAccuracy: share of the sequences whose last answer names the first symbol, by
length, from one run a length."""

COUNTING_LOSSES = {1: 5.032, 2: 4.265, 21: 0.109, 25: 0.0879}
"""Learning to count (notebook rnn/LearningHowToCount): mean loss in nats of some of its 25 epochs."""

WORD_NEIGHBOURS = {
    "france": (
        (("italy", 0.661), ("germany", 0.630), ("japan", 0.628), ("australia", 0.621)),
        (("italy", 0.770), ("spain", 0.699), ("germany", 0.685), ("russia", 0.650)),
    ),
    "king": (
        (("son", 0.595), ("earl", 0.591), ("archbishop", 0.573), ("pope", 0.562)),
        (("pope", 0.678), ("lord", 0.610), ("henry", 0.599), ("queen", 0.578)),
    ),
    "father": (
        (("mother", 0.766), ("son", 0.756), ("daughter", 0.746), ("wife", 0.710)),
        (("mother", 0.843), ("wife", 0.777), ("daughter", 0.774), ("brother", 0.771)),
    ),
}
"""Notebook Word2Vec: the four words of the largest cosines, first in the *context* embedding, then in
the *centre* embedding, of CBOW with 300 numbers a word, 4,056 words of WikiText-2 and seven epochs."""

WORD_VOCABULARY = 4_056
WORD_LOSSES = (5.389, 4.903, 4.777, 4.689, 4.629, 4.568, 4.486)
"""The same notebook: words with a vector, and the mean loss in nats of each epoch."""
