"""A model that learns to translate: its batches and its loss, handed to the one training loop."""

from collections.abc import Iterator, Mapping, Sequence

import torch
from torch import Tensor
from torch.nn import functional

from lm_core.experiments.translation import batches
from lm_core.experiments.translation.settings import ModelConfig, TranslationTrainingConfig
from lm_core.models.encoder_decoder_model import EncoderDecoder
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import PAD
from lm_core.training.loop import TrainingLoop, TrainStep, clip_by_norm
from lm_core.training.optimizers import learning_rates_of, make_optimizer
from lm_core.training.resumable import Part, Parts, Resumable

_VALIDATION_TOKENS = 4_000


class TranslationTraining(Resumable):
    """A training in progress; iterate over it for its steps.

    Parameters
    ----------
    pairs, validation : sequence of EncodedPair, to learn from, and to look at now and then
    start : mapping of str to Tensor, optional, weights to begin with; drawn from the seed where there are none
    """

    _counters = ("tokens_seen",)

    def __init__(
        self,
        model: ModelConfig,
        config: TranslationTrainingConfig,
        pairs: Sequence[batches.EncodedPair],
        validation: Sequence[batches.EncodedPair],
        *,
        start: Mapping[str, Tensor] | None = None,
        device: torch.device | str = "cpu",
    ) -> None:
        self.config, self.validation = config, validation
        self.device = torch.device(device)
        self._rng = generator(config.seed)
        self.model: EncoderDecoder = build(model)
        self.model.initialise(self._rng)
        if start is not None:
            self.model.load_state_dict(start)
        self.model.to(self.device)
        self._dropout_rng = self._rng
        if self.device.type != "cpu":
            self._dropout_rng = generator(config.seed, self.device)
        self._batches = batches.BucketedBatches(pairs, config.batch_tokens, config.seed)
        self.tokens_seen = 0
        self.loop = TrainingLoop(
            self.model.parameters(),
            self._next_loss,
            make_optimizer(self.model, config.weight_decay, config.optimizer, config.adamw_share),
            steps=config.steps,
            learning_rate=learning_rates_of(config),
            clip=clip_by_norm(config.clip),
            reported=lambda _: self._nats.item(),
        )

    def __iter__(self) -> Iterator[TrainStep]:
        """Yield the remaining steps; losses are nats per token, without label smoothing."""
        yield from self.loop

    def _parts(self) -> Parts:
        return {"model": self.model, "rng": self._rng, "dropout_rng": self._dropout_rng}

    def _beside(self) -> tuple[Part, ...]:
        return self._batches, self.loop

    def validation_loss(self, most: int | None = None) -> float:
        """Return nats per token of the first so many validation pairs, teacher forced, without dropout."""
        return mean_loss(self.model, self.validation[:most], self.device)

    def _next_loss(self) -> Tensor:
        batch = on_device(self._batches.next_batch(), self.device)
        self.tokens_seen += int(batch.targets.lengths.sum())
        logits = self.model.training_logits(
            *batch.source,
            batch.read,
            rng=self._dropout_rng,
            sampled=self.config.sampled_at(self.loop.step),
        )
        self._nats, smoothed = token_losses(logits, batch.targets.ids, self.config.label_smoothing)
        return smoothed


def token_losses(logits: Tensor, targets: Tensor, label_smoothing: float) -> tuple[Tensor, Tensor]:
    """Return the mean loss of a batch's tokens, without a gradient, and that with smoothed labels.

    Parameters
    ----------
    logits : Tensor of shape (B, T, V)
    targets : int64 Tensor of shape (B, T), `PAD` counts for nothing
    """
    is_token = targets != PAD
    kept = logits[is_token]  # (N, V)
    normaliser = kept.logsumexp(-1)
    nats = (normaliser - kept.gather(1, targets[is_token][:, None])[:, 0]).mean()
    evenly = (normaliser - kept.mean(-1)).mean()
    return nats.detach(), torch.lerp(nats, evenly, label_smoothing)


def on_device(batch: batches.PairBatch, device: torch.device | str) -> batches.PairBatch:
    """Return a batch on a device; the lengths stay on the processor, which packs by them."""
    source = batch.source._replace(ids=batch.source.ids.to(device))
    targets = batch.targets._replace(ids=batch.targets.ids.to(device))
    return batches.PairBatch(source, batch.read.to(device), targets)


@torch.no_grad()
def mean_loss(
    model: EncoderDecoder, pairs: Sequence[batches.EncodedPair], device: torch.device | str = "cpu"
) -> float:
    """Return nats per target token of pairs, teacher forced."""
    total, n_tokens = 0.0, 0
    for places in batches.in_batches(pairs, _VALIDATION_TOKENS):
        batch = on_device(batches.pair_batch([pairs[i] for i in places]), device)
        logits = model(*batch.source, batch.read)
        total += functional.cross_entropy(
            logits.flatten(0, 1), batch.targets.ids.flatten(), ignore_index=PAD, reduction="sum"
        ).item()
        n_tokens += int(batch.targets.lengths.sum())
    return total / n_tokens
