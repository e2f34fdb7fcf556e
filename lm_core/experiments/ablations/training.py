"""Training one variant, with an evaluation every few steps."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import DivergenceError
from lm_core.experiments.ablations.variants import NAME, TRAINING, Variant
from lm_core.experiments.commands import progress
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.models.placement import device_of
from lm_core.models.registry import build, config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import NonNegative, Positive
from lm_core.text.training_text import TrainingText
from lm_core.training.checkpoints import CheckpointMeta, save_checkpoint
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.language_modelling import Training
from lm_core.training.loop import TrainStep
from lm_core.training.model_vocabulary import vocabulary_fields

SNAPSHOT_EVERY = 100
"""Steps between two evaluations on held-out text; the first is after `_FIRST_SNAPSHOT` steps."""
_FIRST_SNAPSHOT = 10
_CURVE_STRIDE = 10
_HELD_OUT_CHARACTERS = 16_384

PROMPT, SAMPLE_LENGTH, SAMPLE_SEED = "The prince ", 160, 0
SAMPLING = SamplingSettings(temperature=0.8)


@dataclass(frozen=True)
class Curve:
    """A training, for every ten steps: the last one's number, mean loss in nats, largest gradient norm."""

    step: tuple[Positive, ...]
    loss: tuple[float, ...]
    gradient_norm: tuple[float, ...]


@dataclass(frozen=True)
class Snapshot:
    """A model at one step of its training, on held-out text; losses in nats per character."""

    step: Positive
    loss: float
    block_gradients: tuple[float, ...]  # norm of the gradient of each block
    text: str  # that it generates
    masked_loss: float | None = None  # as in `WindowLosses`


@dataclass(frozen=True)
class WindowLosses:
    """Losses in cold windows, in nats per character.

    A model without the causal mask sees the characters that it must predict; so it has masked losses,
    too: those of its weights under the mask.
    """

    loss: float
    by_position: tuple[float, ...]  # at each position of the window
    masked_loss: float | None = None
    masked_by_position: tuple[float, ...] = ()


@dataclass(frozen=True)
class TrainedVariant:
    """A variant, and what came of its training."""

    config: dict[str, Any]  # as `config_to_dict` writes it
    seed: int
    parameters: Positive
    snapshots: tuple[Snapshot, ...]
    curve: Curve
    validation: WindowLosses
    seconds: NonNegative
    learning_rate: float = TRAINING.learning_rate
    diverged: str = ""  # the error, if the loss did

    @property
    def summary(self) -> str:
        """A line for people."""
        masked = self.validation.masked_loss
        return (
            f"{self.parameters:>11,}  training {self.curve.loss[-1]:.4f}"
            f"  validation {self.validation.loss:.4f}"
            + ("" if masked is None else f"  masked {masked:.4f}")
            + f"  {self.seconds:.0f} s"
        )


def train_variant(
    variant: Variant, text: TrainingText, device: torch.device | str = "cpu"
) -> tuple[TransformerLanguageModel, TrainedVariant]:
    """Train a model to its end, or until its loss diverges.

    Parameters
    ----------
    text : TrainingText
        The last twentieth of its training part is held out, and evaluated on during training. The
        validation part is evaluated on once, at the end.
    device : torch.device or str, where the model learns

    Returns
    -------
    model : TransformerLanguageModel, in evaluation mode
    record : TrainedVariant
    """
    model = build(variant.model)
    tokens = torch.from_numpy(text.train)
    training = Training(model, tokens, variant.training, held_out_every=10**9, device=device)
    n_learned = len(text.train) - int(variant.training.held_out * len(text.train))
    held_out = torch.from_numpy(text.train[n_learned:][:_HELD_OUT_CHARACTERS])
    steps: list[TrainStep] = []
    snapshots: list[Snapshot] = []
    diverged = ""
    try:
        for step in progress(training, variant.title, variant.training.steps):
            steps.append(step)
            if step.step == _FIRST_SNAPSHOT or step.step % SNAPSHOT_EVERY == 0:
                snapshots.append(_snapshot(model, step, variant, held_out, text))
    except DivergenceError as error:
        diverged = str(error)
    model.eval()
    return model, TrainedVariant(
        config_to_dict(variant.model),
        variant.seed,
        model.parameter_count,
        tuple(snapshots),
        _curve(steps),
        evaluate(model, torch.from_numpy(text.validation)),
        round(training.seconds, 1),
        variant.learning_rate,
        diverged,
    )


def step_seconds(
    variants: Iterable[Variant], text: TrainingText, *, rounds: int = 20, steps: int = 2
) -> dict[str, float]:
    """Return the processor time of one training step of each variant: the least of some rounds.

    In a round a few steps of each are timed, one variant after the other, so that a machine that is busy
    for a while is so for all of them.
    """
    trainings, tokens = {}, torch.from_numpy(text.train)
    for variant in variants:
        config = replace(variant.training, steps=(rounds + 1) * steps)
        training = Training(build(variant.model), tokens, config, held_out_every=10**9)
        trainings[variant.name] = iter(training)
        list(islice(trainings[variant.name], steps))  # the first ones are slower, and do not count
    found: dict[str, list[float]] = {name: [] for name in trainings}
    for name in list(trainings) * rounds:
        begin = time.process_time()
        list(islice(trainings[name], steps))
        found[name].append((time.process_time() - begin) / steps)
    return {name: _rounded(min(seconds)) for name, seconds in found.items()}


def evaluate(model: TransformerLanguageModel, tokens: Tensor) -> WindowLosses:
    """Return a model's loss in cold windows as long as its context, each character predicted once.

    Parameters
    ----------
    model : TransformerLanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,)
    """
    losses = _window_losses(model, tokens)
    result = WindowLosses(_rounded(losses.mean()), _rounded_all(losses.mean(0)))
    if model.config.causal:
        return result
    masked = _window_losses(with_causal_mask(model), tokens)
    return replace(
        result, masked_loss=_rounded(masked.mean()), masked_by_position=_rounded_all(masked.mean(0))
    )


def unigram_loss(text: TrainingText) -> float:
    """Return the validation loss of a unigram model: character frequencies, and nothing else.

    Counted in the training part, with one added to each count. Nats per character.
    """
    counts = np.bincount(text.train, minlength=len(text.vocabulary)) + 1.0
    return _rounded(-np.log(counts / counts.sum())[text.validation].mean())


def with_causal_mask(model: TransformerLanguageModel) -> TransformerLanguageModel:
    """Return a model with the same weights, and with the causal mask."""
    masked: TransformerLanguageModel = build(replace(model.config, causal=True))
    masked.to(device_of(model))
    masked.load_state_dict(model.state_dict())
    return masked.eval()


def _snapshot(
    model: TransformerLanguageModel,
    step: TrainStep,
    variant: Variant,
    held_out: Tensor,
    text: TrainingText,
) -> Snapshot:
    model.eval()
    losses = evaluate(model, held_out)
    prompt = text.vocabulary.encode(text.vocabulary.normalise(PROMPT))
    generation = generate(model, prompt, SAMPLING, SAMPLE_SEED)
    generated = text.vocabulary.decode([w.token for w in islice(generation, SAMPLE_LENGTH)])
    # The optimizer step has clipped the gradients in place; their norms are reported unclipped.
    clipping = min(1.0, variant.training.clip / step.gradient_norm)
    blocks = [_gradient_norm(block.parameters()) / clipping for block in model.blocks]
    return Snapshot(step.step, losses.loss, _rounded_all(blocks), generated, losses.masked_loss)


def _gradient_norm(parameters: Iterable[Tensor]) -> float:
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    return float(torch.stack([gradient.norm() for gradient in gradients]).norm())


def _window_losses(model: TransformerLanguageModel, tokens: Tensor) -> np.ndarray:
    length, tokens = model.config.context, tokens.to(device_of(model))
    return cold_window_losses(model, tokens, window=length, stride=length, batch=128)


def _curve(steps: list[TrainStep]) -> Curve:
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return Curve(
        tuple(group[-1].step for group in groups),
        _rounded_all(fmean(s.loss for s in group) for group in groups),
        _rounded_all(max(s.gradient_norm for s in group) for group in groups),
    )


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _rounded_all(values: Iterable[float]) -> tuple[float, ...]:
    return tuple(map(_rounded, values))


def save_variant(
    root: Path,
    variant: Variant,
    model: TransformerLanguageModel,
    record: TrainedVariant,
    text: TrainingText,
    device: str,
) -> Path:
    """Write the checkpoint of a variant into a folder of checkpoints.

    Raises CheckpointError if it cannot be written.
    """
    training = variant.training
    meta = CheckpointMeta(
        name=variant.checkpoint,
        title=f"Transformer 4 x 128, {variant.title}",
        config=config_to_dict(variant.model),
        **vocabulary_fields(text.vocabulary),
        corpus=text.corpus,
        corpus_sha256=text.sha256,
        seed=variant.seed,
        steps=training.steps,
        characters_seen=training.steps * training.batch * training.window,
        seconds=record.seconds,
        device=device,
        parameter_count=model.parameter_count,
        losses={"validation": record.validation.loss},
        recipe=asdict(training),
        storage="int8_rows",
        experiment=NAME,
    )
    return save_checkpoint(root, model, meta)
