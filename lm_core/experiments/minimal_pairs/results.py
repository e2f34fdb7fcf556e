"""Minimal pairs by model and kind, as they are shipped, and what others have published."""

import math
from collections import defaultdict
from dataclasses import dataclass
from statistics import fmean
from typing import Annotated, NamedTuple

from lm_core.experiments.minimal_pairs.our_pairs import BETWEEN
from lm_core.results import Count, NonNegative, Positive, Recorded, Share, one_of

PHENOMENA = {
    "anaphor_agreement": "reflexives",
    "argument_structure": "what a verb may take",
    "binding": "whom a pronoun may mean",
    "control_raising": "raising and control",
    "determiner_noun_agreement": "determiner and noun",
    "ellipsis": "what may be left out",
    "filler_gap_dependency": "questions and their gaps",
    "irregular_forms": "irregular forms",
    "island_effects": "islands",
    "npi_licensing": "negative polarity (ever, any)",
    "quantifiers": "quantifiers",
    "subject_verb_agreement": "subject and verb",
}
"""Phenomena by name, in the words of the pages."""


class Published(NamedTuple):
    """Share of the pairs of a phenomenon that others get right, the mean of its kinds."""

    ngram: float
    lstm: float
    transformer_xl: float
    gpt2: float
    """`ngram`, `lstm`, `transformer_xl` and `gpt2`: the paper's models: 5-gram, LSTM,
    Transformer-XL and GPT-2 (large)."""
    people: float
    """One person alone; by the majority of several they come to about .96."""


PUBLISHED = {
    "anaphor_agreement": Published(0.479, 0.917, 0.941, 0.993, 0.975),
    "argument_structure": Published(0.719, 0.732, 0.722, 0.818, 0.900),
    "binding": Published(0.644, 0.735, 0.747, 0.809, 0.873),
    "control_raising": Published(0.685, 0.670, 0.715, 0.819, 0.839),
    "determiner_noun_agreement": Published(0.701, 0.854, 0.830, 0.958, 0.922),
    "ellipsis": Published(0.369, 0.676, 0.772, 0.893, 0.850),
    "filler_gap_dependency": Published(0.602, 0.739, 0.666, 0.813, 0.869),
    "irregular_forms": Published(0.795, 0.891, 0.782, 0.919, 0.970),
    "island_effects": Published(0.572, 0.466, 0.483, 0.727, 0.849),
    "npi_licensing": Published(0.455, 0.517, 0.552, 0.768, 0.881),
    "quantifiers": Published(0.535, 0.645, 0.693, 0.790, 0.866),
    "subject_verb_agreement": Published(0.603, 0.801, 0.759, 0.864, 0.909),
}
"""By phenomenon; from models_summary.jsonl and human_validation_summary.csv of
https://github.com/alexwarstadt/blimp (Warstadt et al. 2020)."""

PUBLISHED_OVERALL = Published(0.612, 0.698, 0.696, 0.830, 0.886)
"""The mean of all 67 kinds, from the same files."""


@dataclass(frozen=True)
class KindScore:
    """How many pairs of one kind a model gets right."""

    model: str  # name of the checkpoint
    kind: str
    phenomenon: Annotated[str, one_of(PHENOMENA)]
    right: Share  # of the pairs; a tie counts half
    n_pairs: Positive


class MeanShare(NamedTuple):
    """The mean of some kinds, and the standard error that comes from the number of their pairs."""

    right: float
    standard_error: float

    @classmethod
    def of(cls, scores: list[KindScore]) -> "MeanShare":
        """Return the mean of some kinds, at least one, each as important as another.

        Examples
        --------
        >>> kinds = [KindScore("m", k, "ellipsis", p, 100) for k, p in (("a", 0.5), ("b", 1.0))]
        >>> MeanShare.of(kinds)
        MeanShare(right=0.75, standard_error=0.025)
        """
        variance = sum(s.right * (1.0 - s.right) / s.n_pairs for s in scores)
        return cls(fmean(s.right for s in scores), math.sqrt(variance) / len(scores))


class PairBits(NamedTuple):
    """What each word of a pair of ours surprises a model by, in bits."""

    model: str
    sentence: str
    """The pair's first."""
    good: tuple[NonNegative, ...]
    bad: tuple[NonNegative, ...]
    """`good` and `bad`: of each word of its two sentences."""


class ApartScore(NamedTuple):
    """How many of our pairs a model gets right whose subject and verb are so far apart."""

    model: str
    between: Annotated[str, one_of(BETWEEN)]
    words: Count
    """Between the two."""
    right: Share
    """Of the pairs; a tie counts half."""
    n_pairs: Positive

    @property
    def standard_error(self) -> float:
        """Of the share, from the number of pairs."""
        return math.sqrt(self.right * (1.0 - self.right) / self.n_pairs)


@dataclass(frozen=True)
class MinimalPairResults(Recorded, name="minimal-pairs"):
    """All scores: of the benchmark's pairs, and of our own."""

    scores: tuple[KindScore, ...]
    pairs: tuple[PairBits, ...] = ()
    apart: tuple[ApartScore, ...] = ()

    @property
    def models(self) -> list[str]:
        """Names of the models that the benchmark was put to, each once."""
        return list(dict.fromkeys(score.model for score in self.scores))

    def bits_of(self, sentence: str) -> dict[str, PairBits]:
        """Return what each model expected of the pair of ours that begins with this sentence, by its name."""
        return {pair.model: pair for pair in self.pairs if pair.sentence == sentence}

    def by_distance(self, model: str, between: str) -> list[ApartScore]:
        """Return a model's scores by rising number of words between subject and verb."""
        found = [s for s in self.apart if (s.model, s.between) == (model, between)]
        return sorted(found, key=lambda score: score.words)

    def updated(self, new: "MinimalPairResults") -> "MinimalPairResults":
        """Return these results with new rows in place of those that the same models had, and their provenance.

        Where there is no new row of the benchmark, its rows stay.
        """
        scored, ours = set(new.models), {pair.model for pair in new.pairs}
        return MinimalPairResults(
            new.provenance,
            (*(s for s in self.scores if s.model not in scored), *new.scores),
            (*(p for p in self.pairs if p.model not in ours), *new.pairs),
            (*(s for s in self.apart if s.model not in ours), *new.apart),
        )

    def by_phenomenon(self, model: str) -> dict[str, MeanShare]:
        """Return what a model gets right of each phenomenon; empty for one that was not scored."""
        found = defaultdict(list)
        for score in self._of(model):
            found[score.phenomenon].append(score)
        return {name: MeanShare.of(found[name]) for name in PHENOMENA if name in found}

    def overall(self, model: str) -> MeanShare:
        """Return what a model that was scored gets right of all kinds."""
        return MeanShare.of(self._of(model))

    def _of(self, model: str) -> list[KindScore]:
        return [score for score in self.scores if score.model == model]
