"""A masked language model that learns: its batches and its loss, handed to the one training loop."""

from collections.abc import Iterator

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.masked_language_model import settings
from lm_core.experiments.masked_language_model.segments import SegmentBatch, Segments
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.placement import device_of, moved
from lm_core.rng import generator
from lm_core.text.training_text import load_book
from lm_core.text.vocabularies import vocabulary_named
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.masking import MaskedTokens, MaskingConfig, mask_tokens
from lm_core.training.optimizers import learning_rates_of, make_optimizer
from lm_core.training.resumable import Parts, Resumable

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}
_EVALUATED_LENGTH, _EVALUATED_BATCHES = 96, 24


def book_segments(recipe: settings.MaskedRecipe) -> tuple[Segments, Segments]:
    """Return what a recipe learns of the book's training part, and what it is looked at with.

    Raises CorpusUnavailableError if the book is not on this machine.
    """
    book = load_book(vocabulary_named(settings.VOCABULARY))
    symbols, ids = book.vocabulary.symbols, book.train
    n_learned = len(ids) - int(recipe.training.held_out * len(ids))
    learned, held_out = ids[:n_learned], ids[n_learned:]
    return Segments(learned, symbols, recipe.model), Segments(held_out, symbols, recipe.model)


class MaskedTraining(Resumable):
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    model : MaskedLanguageModel
        Trained in place. Its weights are drawn here unless a causal model is given.
    segments : Segments, to learn from
    causal : Module, whose weights the training begins with
    device : torch.device or str, where the model is moved
    """

    _counters = "targets_seen", "tokens_seen"

    def __init__(
        self,
        model: MaskedLanguageModel,
        config: settings.MaskedTrainingConfig,
        segments: Segments,
        *,
        causal: torch.nn.Module | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        self.model, self.config, self._segments = model, config, segments
        self._rng = generator(config.seed)
        if causal is None:
            model.initialise(self._rng)
        else:
            model.start_from(causal)
        self.targets_seen = self.tokens_seen = 0
        self.device = torch.device(device)
        model.to(self.device)
        # As in `lm_core.training.language_modelling`: dropout is drawn where the model is.
        self._dropout_rng = self._rng
        if self.device.type != "cpu":
            self._dropout_rng = generator(config.seed, self.device)
        self.loop = TrainingLoop(
            model.parameters(),
            self._next_loss,
            make_optimizer(model, config.weight_decay, "muon"),
            steps=config.steps,
            learning_rate=learning_rates_of(config),
            clip=clip_by_norm(config.clip),
        )

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps; losses are nats per subword that was to be predicted."""
        yield from self.loop

    def _parts(self) -> Parts:
        rngs = {"rng": self._rng, "dropout_rng": self._dropout_rng}
        return {"model": self.model, **rngs}

    def _next_loss(self) -> Tensor:
        config = self.config
        choice = int(torch.randint(len(config.lengths), (), generator=self._rng))
        length = config.lengths[choice]
        batch = self._segments.draw(config.batch_tokens // length, length, self._rng)
        masked = mask_batch(batch, config.masking, self.model, self._rng)
        self.targets_seen += int(masked.is_target.sum())
        self.tokens_seen += int(batch.lengths.sum())
        batch, masked = moved(batch, self.device), moved(masked, self.device)
        hidden = self.model.training_hidden_states(
            masked.inputs, batch.lengths, rng=self._dropout_rng, dtype=_DTYPES[config.dtype]
        )
        # Only what was chosen is predicted: the output layer is a quarter of the work.
        logits = self.model.predict(hidden[masked.is_target].float())
        return functional.cross_entropy(logits, batch.tokens[masked.is_target])


def mask_batch(
    batch: SegmentBatch, masking: MaskingConfig, model: MaskedLanguageModel, rng: torch.Generator
) -> MaskedTokens:
    """Choose what a batch asks of the model; see `mask_tokens`."""
    return mask_tokens(batch.tokens, batch.starts_word, masking, model.config, rng)


@torch.no_grad()
def masked_loss(
    model: MaskedLanguageModel,
    segments: Segments,
    masking: MaskingConfig,
    *,
    batches: int = _EVALUATED_BATCHES,
    length: int = _EVALUATED_LENGTH,
    seed: int = 0,
) -> float:
    """Return nats per chosen subword, the same segments and masks for every model of one seed."""
    rng, total, n = generator(seed), 0.0, 0
    for _ in range(batches):
        batch = segments.draw(16, length, rng)
        masked = moved(mask_batch(batch, masking, model, rng), device_of(model))
        batch = moved(batch, device_of(model))
        logits = model.predict(model.hidden_states(masked.inputs, batch.lengths)[masked.is_target])
        targets = batch.tokens[masked.is_target]
        total += functional.cross_entropy(logits, targets, reduction="sum").item()
        n += len(targets)
    return total / n
