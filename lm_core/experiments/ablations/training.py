"""Training one of the variants, and all that is looked at on the way."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import islice
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

LOOK_EVERY = 100
"""Steps between two looks at the held-out text; there is one after the tenth step, too."""
_FIRST_LOOK = 10
_CURVE_STRIDE = 10
_HELD_OUT_CHARACTERS = 16_384

PROMPT, SAMPLE_LENGTH, SAMPLE_SEED = "The prince ", 160, 0
SAMPLING = SamplingSettings(temperature=0.8)


def train_variant(
    variant: Variant,
    text: TrainingText,
    *,
    watch: Callable[[TrainStep], None] = lambda step: None,
) -> tuple[TransformerLanguageModel, dict[str, Any]]:
    """Train a model to its end, or until its loss is no number any more.

    Parameters
    ----------
    variant : Variant
    text : TrainingText
        Of its training part, the last twentieth is held out: it is what the model is judged on while
        it learns. On the validation part it is judged once, at the end.
    watch : callable
        Told of every step.

    Returns
    -------
    model : TransformerLanguageModel
        In evaluation mode.
    record : dict
        Plain values: ``config``, ``seed``, ``learning_rate``, ``parameters``, ``seconds``, ``curve`` (of every ten
        steps the last one's number, the mean loss in nats and the longest gradient), ``looks`` (at
        some steps: loss on the held-out text, length of the gradient in each block, a text written),
        ``validation`` (see `judged`) and, if it left the numbers, ``diverged``.
    """
    model = build(variant.model)
    training = Training(model, torch.from_numpy(text.train), variant.training, held_out_every=10**9)
    learned = len(text.train) - int(variant.training.held_out * len(text.train))
    held_out = torch.from_numpy(text.train[learned:][:_HELD_OUT_CHARACTERS])
    record: dict[str, Any] = {
        "config": config_to_dict(variant.model),
        "seed": variant.seed,
        "learning_rate": variant.learning_rate,
        "parameters": model.parameter_count,
        "looks": [],
    }
    steps: list[TrainStep] = []
    try:
        for step in training:
            steps.append(step)
            watch(step)
            if step.step == _FIRST_LOOK or step.step % LOOK_EVERY == 0:
                record["looks"].append(_look(model, step, variant, held_out, text))
    except DivergenceError as error:
        record["diverged"] = str(error)
    model.eval()
    record["curve"] = _curve(steps)
    record["validation"] = judged(model, torch.from_numpy(text.validation))
    record["seconds"] = round(training.seconds, 1)
    return model, record


def judged(model: TransformerLanguageModel, tokens: Tensor) -> dict[str, Any]:
    """Return the loss of a model in cold windows as long as its context, each character met once.

    Returns
    -------
    dict
        ``loss``, the mean in nats per character; ``by_place``, the mean at each place of the window,
        one after the other. Of a model without the causal mask, these are the losses of one that
        sees what it is asked for; ``masked_loss`` and ``masked_by_place`` are those of the same
        weights where the mask is put on.
    """
    found = _window_losses(model, tokens)
    result = {"loss": _rounded(found.mean()), "by_place": _rounded_all(found.mean(0))}
    if not model.config.causal:
        honest = _window_losses(with_mask(model), tokens)
        result["masked_loss"] = _rounded(honest.mean())
        result["masked_by_place"] = _rounded_all(honest.mean(0))
    return result


def letter_frequency_loss(text: TrainingText) -> float:
    """Return the loss on the validation part of who knows nothing but how often each symbol stands.

    Counted in the training part, with one more of each symbol. Nats per character.
    """
    counts = np.bincount(text.train, minlength=len(text.vocabulary)) + 1.0
    return _rounded(-np.log(counts / counts.sum())[text.validation].mean())


def with_mask(model: TransformerLanguageModel) -> TransformerLanguageModel:
    """Return a model with the same weights that looks back only."""
    masked = build(replace(model.config, causal=True))
    masked.load_state_dict(model.state_dict())
    return masked.eval()


def _look(
    model: TransformerLanguageModel,
    step: TrainStep,
    variant: Variant,
    held_out: Tensor,
    text: TrainingText,
) -> dict[str, Any]:
    model.eval()
    verdict = judged(model, held_out)
    look = {name: value for name, value in verdict.items() if "by_place" not in name}
    prompt = text.vocabulary.encode(text.vocabulary.normalise(PROMPT))
    generation = generate(model, prompt, SAMPLING, SAMPLE_SEED)
    written = text.vocabulary.decode([w.token for w in islice(generation, SAMPLE_LENGTH)])
    shortened = min(1.0, variant.training.clip / step.gradient_norm)
    blocks = [_length(block.parameters()) / shortened for block in model.blocks]
    return {"step": step.step, **look, "block_gradients": _rounded_all(blocks), "text": written}


def _length(parameters: Iterable[Tensor]) -> float:
    """Return the length of the gradient on some weights."""
    return float(torch.stack([parameter.grad.norm() for parameter in parameters]).norm())


def _window_losses(model: TransformerLanguageModel, tokens: Tensor) -> np.ndarray:
    length = model.config.context
    return cold_window_losses(model, tokens, window=length, stride=length, batch=128)


def _curve(steps: list[TrainStep]) -> dict[str, list[float]]:
    groups = [steps[i : i + _CURVE_STRIDE] for i in range(0, len(steps), _CURVE_STRIDE)]
    return {
        "step": [group[-1].step for group in groups],
        "loss": [_rounded(np.mean([s.loss for s in group])) for group in groups],
        "gradient_norm": _rounded_all(max(s.gradient_norm for s in group) for group in groups),
    }


def _rounded(value: float) -> float:
    return float(f"{value:.4g}")


def _rounded_all(values: Iterable[float]) -> list[float]:
    return [_rounded(value) for value in values]
