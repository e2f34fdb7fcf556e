"""The scores of the translation models, as one record."""

from dataclasses import dataclass

from lm_core.errors import ResultError
from lm_core.experiments.translation.evaluation import Bleu, HeadBleu, LengthBleu
from lm_core.results import NonNegative, Recorded

BEAM_WIDTH = 5


@dataclass(frozen=True)
class ModelScore:
    """One trained model on the test set."""

    name: str  # of the checkpoint; a second seed's name says so
    title: str
    attention: str  # none, additive, dot or transformer
    context_size: int  # numbers of the context vector; 0 for a transformer
    parameters: int
    steps: int
    seed: int
    passes: float  # how often the training pairs were read
    seconds: float  # of training, wall-clock
    validation_loss: NonNegative  # nats per token
    validation: Bleu  # beam search on the validation pairs, by which what was chosen was chosen
    greedy: Bleu  # on the test pairs, like what follows
    beam: Bleu
    by_length: tuple[LengthBleu, ...]  # of the beam search
    ablated: Bleu | None  # greedy decoding with the whole cross-attention switched off
    ablated_heads: tuple[HeadBleu, ...]  # ... with one head of several switched off

    @property
    def recipe(self) -> str:
        """Name of the training, whatever its seed."""
        return self.name.removesuffix(f"-seed-{self.seed}")

    @property
    def is_of_sweep(self) -> bool:
        """Whether it is one of the shorter trainings that compare context sizes."""
        return "-context-" in self.name


@dataclass(frozen=True)
class TranslationResults(Recorded, name="translation"):
    """All models, and how they were measured."""

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
