"""Surprisal by model and kind of text: what is shipped, and how it is read."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from lm_core.errors import ResultError
from lm_core.experiments.results import Results, results_path

EXPERIMENT = "surprisal"
SHIPPED = results_path(EXPERIMENT)

BOOK, NOVELS, OWN, OWN_COOL = "book", "novels", "own", "own-cool"
WORDS, CHARACTERS = "shuffled-words", "shuffled-characters"
KINDS = {
    OWN_COOL: "its own text, at temperature 0.5",
    OWN: "its own text, at temperature 1",
    BOOK: "War and Peace, the part it never saw",
    NOVELS: "novels by others",
    WORDS: "War and Peace, words shuffled",
    CHARACTERS: "War and Peace, characters shuffled",
}
"""Kinds of text by name."""


@dataclass(frozen=True)
class KindScore:
    """How surprised one model was by texts of one kind.

    Attributes
    ----------
    model, kind : str
        Name of the checkpoint, and one of `KINDS`.
    bits : float
        Mean surprisal of a character.
    standard_error : float
        Of the mean, from texts or stretches of a text as observations.
    rank_shares : tuple of float
        Of the tokens by class of rank, as `TextScores.rank_shares` returns them; they sum to 1.
    n_characters : int
    """

    model: str
    kind: str
    bits: float
    standard_error: float
    rank_shares: tuple[float, ...]
    n_characters: int

    def __post_init__(self) -> None:
        if self.kind not in KINDS or not self.bits >= 0.0 or len(self.rank_shares) != 4:
            raise ValueError(
                f"a score has a kind of {list(KINDS)}, bits and four shares, got {self}"
            )


@dataclass(frozen=True)
class SurprisalResults:
    """All scores, and the beginnings of texts that the models have written.

    Attributes
    ----------
    provenance : dict
    scores : tuple of KindScore
    written : dict of str to str
        What each model wrote at temperature 1, by its name.
    """

    provenance: dict[str, Any]
    scores: tuple[KindScore, ...]
    written: dict[str, str]

    def of_model(self, model: str) -> dict[str, KindScore]:
        """Return a model's scores by kind; empty for one that was not scored."""
        return {score.kind: score for score in self.scores if score.model == model}


def save_results(path: Path, results: SurprisalResults) -> None:
    """Write a file of results, whole or not at all."""
    data = {"scores": [asdict(score) for score in results.scores], "written": results.written}
    Results(EXPERIMENT, results.provenance, data).save(path)


def load_results(path: Path = SHIPPED) -> SurprisalResults:
    """Read a file that `save_results` wrote.

    Raises
    ------
    ResultError
        If it is missing, or is another file.
    """
    results = Results.load(path, EXPERIMENT)
    try:
        scores = [
            KindScore(**{**row, "rank_shares": tuple(row["rank_shares"])})
            for row in results.data["scores"]
        ]
        written = {str(name): str(text) for name, text in results.data["written"].items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultError(
            f"{path.name} must hold scores and written texts: {error!r};"
            f" python -m lm_core experiment {EXPERIMENT} makes it"
        ) from error
    return SurprisalResults(results.provenance, tuple(scores), written)
