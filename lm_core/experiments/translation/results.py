"""The scores of the translation models, as one record."""

from pathlib import Path
from typing import Any, NamedTuple

from lm_core.errors import ResultError
from lm_core.experiments.results import Results, results_path
from lm_core.experiments.translation.evaluation import Bleu, HeadBleu, LengthBleu
from lm_core.experiments.translation.settings import EXPERIMENT

SHIPPED = results_path(EXPERIMENT)
BEAM_WIDTH = 5


class ModelScore(NamedTuple):
    """One trained model on the test set.

    Attributes
    ----------
    name, title : str
        Of the checkpoint; a second seed's name says so.
    attention : str
        ``none``, ``additive``, ``dot`` or ``transformer``.
    context_size : int
        Numbers of the context vector; 0 for a transformer.
    parameters, steps, seed : int
    passes : float
        How often the training pairs were read.
    seconds : float
        Of training, wall-clock.
    validation_loss : float
        Nats per token.
    validation : Bleu
        Beam search on the validation pairs: what was chosen, was chosen by it.
    greedy, beam : Bleu
        On the test pairs.
    by_length : list of LengthBleu
        Of the beam search.
    ablated : Bleu or None
        Greedy decoding with the whole cross-attention switched off.
    ablated_heads : list of HeadBleu
        Greedy decoding with one head of the cross-attention switched off, where there are several.
    """

    name: str
    title: str
    attention: str
    context_size: int
    parameters: int
    steps: int
    seed: int
    passes: float
    seconds: float
    validation_loss: float
    validation: Bleu
    greedy: Bleu
    beam: Bleu
    by_length: list[LengthBleu]
    ablated: Bleu | None
    ablated_heads: list[HeadBleu]

    @property
    def recipe(self) -> str:
        """Name of the training, whatever its seed."""
        return self.name.removesuffix(f"-seed-{self.seed}")

    @property
    def is_of_sweep(self) -> bool:
        """Whether it is one of the shorter trainings that compare context sizes."""
        return "-context-" in self.name


class TranslationResults(NamedTuple):
    """All models, and how they were measured."""

    provenance: dict[str, Any]
    models: tuple[ModelScore, ...]

    def named(self, name: str) -> ModelScore:
        """Return the model of that name; ResultError if there is none."""
        for model in self.models:
            if model.name == name:
                return model
        names = [model.name for model in self.models]
        raise ResultError(f"the results must have {name!r}, they have {names}")

    def seeds_of(self, recipe: str) -> list[ModelScore]:
        """Return the models of a training, one for each seed that is scored, by seed."""
        found = [model for model in self.models if model.recipe == recipe]
        return sorted(found, key=lambda model: model.seed)


def save_results(path: Path, results: TranslationResults) -> None:
    """Write the record."""
    data = {"models": [_to_record(model) for model in results.models]}
    Results(EXPERIMENT, results.provenance, data).save(path)


def load_results(path: Path = SHIPPED) -> TranslationResults:
    """Read the record.

    Raises
    ------
    ResultError
        If it is missing or damaged.
    """
    found = Results.load(path, EXPERIMENT)
    try:
        models = tuple(_from_record(record) for record in found.data["models"])
    except (KeyError, TypeError, ValueError) as error:
        raise ResultError(f"{path.name} must have the scores of models: {error}") from error
    return TranslationResults(found.provenance, models)


def _to_record(model: ModelScore) -> dict[str, Any]:
    scores = {name: getattr(model, name)._asdict() for name in ("validation", "greedy", "beam")}
    by_length = [band._asdict() | {"bleu": band.bleu._asdict()} for band in model.by_length]
    ablated = model.ablated._asdict() if model.ablated else None
    heads = [head._asdict() for head in model.ablated_heads]
    lists = {"by_length": by_length, "ablated": ablated, "ablated_heads": heads}
    return model._asdict() | scores | lists


def _from_record(record: dict[str, Any]) -> ModelScore:
    scores = {name: Bleu(**record[name]) for name in ("validation", "greedy", "beam")}
    by_length = [
        LengthBleu(**(band | {"bleu": Bleu(**band["bleu"])})) for band in record["by_length"]
    ]
    ablated = Bleu(**record["ablated"]) if record["ablated"] else None
    heads = [HeadBleu(**head) for head in record["ablated_heads"]]
    lists = {"by_length": by_length, "ablated": ablated, "ablated_heads": heads}
    return ModelScore(**(record | scores | lists))
