"""Training one variant, with an evaluation every few steps."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
from statistics import fmean
from typing import Any

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import DivergenceError
from lm_core.experiments.ablations.variants import Variant
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import generate
from lm_core.models.registry import build, config_to_dict
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.training_text import TrainingText
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.language_modelling import Training
from lm_core.training.loop import TrainStep

SNAPSHOT_EVERY = 100
"""Steps between two evaluations on held-out text; the first is after `_FIRST_SNAPSHOT` steps."""
_FIRST_SNAPSHOT = 10
_CURVE_STRIDE = 10
_HELD_OUT_CHARACTERS = 16_384

PROMPT, SAMPLE_LENGTH, SAMPLE_SEED = "The prince ", 160, 0
SAMPLING = SamplingSettings(temperature=0.8)


def train_variant(
    variant: Variant,
    text: TrainingText,
    *,
    on_step: Callable[[TrainStep], None] = lambda step: None,
) -> tuple[TransformerLanguageModel, dict[str, Any]]:
    """Train a model to its end, or until its loss diverges.

    Parameters
    ----------
    variant : Variant
    text : TrainingText
        The last twentieth of its training part is held out, and evaluated on during training. The
        validation part is evaluated on once, at the end.
    on_step : callable
        Called with every step.

    Returns
    -------
    model : TransformerLanguageModel
        In evaluation mode.
    record : dict
        Plain values: ``config``, ``seed``, ``learning_rate``, ``parameters``, ``seconds``, ``curve``
        (for every ten steps: the last one's number, the mean loss in nats, the largest gradient
        norm), ``snapshots`` (at some steps: loss on held-out text, gradient norm of each block,
        generated text), ``validation`` (see `evaluate`) and, if the loss diverged, ``diverged``.
    """
    model = build(variant.model)
    training = Training(model, torch.from_numpy(text.train), variant.training, held_out_every=10**9)
    n_learned = len(text.train) - int(variant.training.held_out * len(text.train))
    held_out = torch.from_numpy(text.train[n_learned:][:_HELD_OUT_CHARACTERS])
    record: dict[str, Any] = {
        "config": config_to_dict(variant.model),
        "seed": variant.seed,
        "learning_rate": variant.learning_rate,
        "parameters": model.parameter_count,
        "snapshots": [],
    }
    steps: list[TrainStep] = []
    try:
        for step in training:
            steps.append(step)
            on_step(step)
            if step.step == _FIRST_SNAPSHOT or step.step % SNAPSHOT_EVERY == 0:
                record["snapshots"].append(_snapshot(model, step, variant, held_out, text))
    except DivergenceError as error:
        record["diverged"] = str(error)
    model.eval()
    record["curve"] = _curve(steps)
    record["validation"] = evaluate(model, torch.from_numpy(text.validation))
    record["seconds"] = round(training.seconds, 1)
    return model, record


def evaluate(model: TransformerLanguageModel, tokens: Tensor) -> dict[str, Any]:
    """Return a model's loss in cold windows as long as its context, each character predicted once.

    Parameters
    ----------
    model : TransformerLanguageModel
        In evaluation mode.
    tokens : int64 Tensor of shape (N,)

    Returns
    -------
    dict
        ``loss``, the mean in nats per character, and ``by_position``, the mean at each position of
        the window. A model without the causal mask sees the characters that it must predict; so
        ``masked_loss`` and ``masked_by_position`` are those of its weights under the mask.
    """
    losses = _window_losses(model, tokens)
    result = {"loss": _rounded(losses.mean()), "by_position": _rounded_all(losses.mean(0))}
    if not model.config.causal:
        masked = _window_losses(with_causal_mask(model), tokens)
        result["masked_loss"] = _rounded(masked.mean())
        result["masked_by_position"] = _rounded_all(masked.mean(0))
    return result


def unigram_loss(text: TrainingText) -> float:
    """Return the validation loss of a unigram model: character frequencies, and nothing else.

    Counted in the training part, with one added to each count. Nats per character.
    """
    counts = np.bincount(text.train, minlength=len(text.vocabulary)) + 1.0
    return _rounded(-np.log(counts / counts.sum())[text.validation].mean())


def with_causal_mask(model: TransformerLanguageModel) -> TransformerLanguageModel:
    """Return a model with the same weights, and with the causal mask."""
    masked: TransformerLanguageModel = build(replace(model.config, causal=True))
    masked.load_state_dict(model.state_dict())
    return masked.eval()


def _snapshot(
    model: TransformerLanguageModel,
    step: TrainStep,
    variant: Variant,
    held_out: Tensor,
    text: TrainingText,
) -> dict[str, Any]:
    model.eval()
    losses = {k: v for k, v in evaluate(model, held_out).items() if "by_position" not in k}
    prompt = text.vocabulary.encode(text.vocabulary.normalise(PROMPT))
    generation = generate(model, prompt, SAMPLING, SAMPLE_SEED)
    generated = text.vocabulary.decode([w.token for w in islice(generation, SAMPLE_LENGTH)])
    # The optimizer step has clipped the gradients in place; their norms are reported unclipped.
    clipping = min(1.0, variant.training.clip / step.gradient_norm)
    blocks = [_gradient_norm(block.parameters()) / clipping for block in model.blocks]
    return {
        "step": step.step,
        **losses,
        "block_gradients": _rounded_all(blocks),
        "text": generated,
    }


def _gradient_norm(parameters: Iterable[Tensor]) -> float:
    gradients = [parameter.grad for parameter in parameters if parameter.grad is not None]
    return float(torch.stack([gradient.norm() for gradient in gradients]).norm())


def _window_losses(model: TransformerLanguageModel, tokens: Tensor) -> np.ndarray:
    length = model.config.context
    return cold_window_losses(model, tokens, window=length, stride=length, batch=128)


def _curve(steps: list[TrainStep]) -> dict[str, list[float]]:
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return {
        "step": [group[-1].step for group in groups],
        "loss": [_rounded(fmean(s.loss for s in group)) for group in groups],
        "gradient_norm": _rounded_all(max(s.gradient_norm for s in group) for group in groups),
    }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _rounded_all(values: Iterable[float]) -> list[float]:
    return [_rounded(value) for value in values]
