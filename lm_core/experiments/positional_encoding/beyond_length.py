"""Transformers that have learned from short windows, asked about positions that they have never met."""

from dataclasses import replace
from itertools import product

import numpy as np
import torch
from torch import Tensor

from lm_core.experiments.ablations import variants
from lm_core.experiments.commands import carried_out
from lm_core.experiments.positional_encoding.results import LongReading
from lm_core.models.registry import build
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.text.training_text import TrainingText
from lm_core.training.evaluation import cold_window_losses
from lm_core.training.language_modelling import Training, TrainingConfig

POSITIONS = ("learned", "none", "sinusoidal", "rotary", "alibi")
"""How the compared models are told positions, in the order in which they are trained."""
SEEDS = (1,)
TRAININGS = tuple(product(SEEDS, POSITIONS))
TRAINING = replace(variants.TRAINING, steps=450, dtype="float32")
"""As in the ablation study, but shorter: enough for every kind to find its way within a window."""
TRAINED, LONGEST = TRAINING.window, 512
"""Characters of a window in training, and positions that are asked about."""
_STRIDE = 4  # of so many windows of the held-out text one is read


def train_reader(
    position: str, seed: int, text: TrainingText, training: TrainingConfig = TRAINING
) -> TransformerLanguageModel:
    """Train the full model of the ablation study, told positions in another way; in evaluation mode."""
    model: TransformerLanguageModel = build(
        replace(variants.FULL, position=position, context=training.window)
    )
    run = Training(
        model, torch.from_numpy(text.train), replace(training, seed=seed), held_out_every=10**9
    )
    carried_out(run, f"{position}, seed {seed}", training.steps)
    return model.eval()


def trained_reading(
    position: str, seed: int, text: TrainingText
) -> tuple[TransformerLanguageModel, LongReading]:
    """Train a model, and ask it at positions that it has never met."""
    model = train_reader(position, seed, text)
    return model, read_beyond(model, torch.from_numpy(text.validation), seed)


def with_context(model: TransformerLanguageModel, context: int) -> TransformerLanguageModel:
    """Return a model with the same weights whose tokens attend to the last `context` ones.

    Codes that follow from a rule are computed for as many positions. A learned table has no more rows
    than it was trained with, so that such a model cannot be built longer: `SettingError` of `torch`'s
    sizes would say so only late, hence the check here.

    Raises
    ------
    ValueError
        If positions are learned, and there are fewer of them.
    """
    if model.config.position == "learned" and context > model.config.context:
        raise ValueError(
            f"a learned table of {model.config.context} positions has none beyond, got {context}"
        )
    longer: TransformerLanguageModel = build(replace(model.config, context=context))
    longer.load_state_dict(model.state_dict())
    return longer.eval()


def read_beyond(
    model: TransformerLanguageModel, tokens: Tensor, seed: int, asked: int = LONGEST
) -> LongReading:
    """Return a model's loss at each position of windows far longer than those of its training.

    Parameters
    ----------
    model : TransformerLanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,), cut into windows of ``asked + 1``, each read from an empty state
    seed : int, of its training, for the record
    asked : int, positions; of a learned table only those that it has are read
    """
    trained = model.config.context
    reach = trained if model.config.position == "learned" else asked
    stride = _STRIDE * asked
    everything = _by_position(with_context(model, reach), tokens, stride, reach)
    return LongReading(
        model.config.position,
        seed,
        model.parameter_count,
        _rounded(everything),
        _rounded(_by_position(model, tokens, stride, asked)),
    )


def _by_position(
    model: TransformerLanguageModel, tokens: Tensor, stride: int, length: int
) -> np.ndarray:
    """Return the mean loss at each of `length` positions, over windows that begin every `stride`."""
    losses = cold_window_losses(model, tokens, window=length, stride=stride, batch=16)
    return np.asarray(losses.mean(0))


def _rounded(losses: np.ndarray) -> tuple[float, ...]:
    return tuple(float(f"{loss:.4g}") for loss in losses)
