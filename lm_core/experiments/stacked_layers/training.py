"""LSTMs of equal size and unequal depth: how wide each may be, and what it learns of the book."""

from dataclasses import replace
from itertools import product

import torch

from lm_core.errors import require_at_least_1
from lm_core.experiments.commands import progress
from lm_core.experiments.stacked_layers.results import StackedLayers
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.training_text import TrainingText
from lm_core.training.evaluation import carried_losses
from lm_core.training.language_modelling import Training, TrainingConfig

LAYERS = (1, 2, 3, 4)
SEEDS = (1, 2, 3)
TRAININGS = tuple(product(SEEDS, LAYERS))
PARAMETERS, EMBEDDING = 160_000, 32
"""At most so many parameters have all of them; numbers of each character's vector."""
TRAINING = TrainingConfig(
    steps=1_500, batch=32, window=64, learning_rate=5e-3, warmup_steps=100, held_out=0.01
)
EVERY = 100
"""Steps between two looks at the held-out loss."""
_READ = 50_000  # characters of the last tenth, which no model has learned from


def widest(layers: int, parameters: int = PARAMETERS) -> LSTMLanguageModelConfig:
    """Return the LSTM of so many layers whose width is the largest that keeps within the parameters.

    Raises SettingError if there is not one layer, or not even a width of 1 keeps within them.
    """
    require_at_least_1(layers=layers)
    v, e = len(SOURCE), EMBEDDING
    width = 0
    while _parameters(v, e, width + 1, layers) <= parameters:
        width += 1
    require_at_least_1(width=width)
    return LSTMLanguageModelConfig(v, e, width, layers)


def trained_layers(layers: int, seed: int, text: TrainingText) -> StackedLayers:
    """Train an LSTM of so many layers and read on in what it has not learned from."""
    model = build(widest(layers))
    config = replace(TRAINING, seed=seed)
    run = Training(model, torch.from_numpy(text.train), config, held_out_every=EVERY)
    steps = progress(run, f"{layers} layers, seed {seed}", config.steps)
    curve = [step.held_out_loss for step in steps if step.held_out_loss is not None]
    model.eval()
    loss = carried_losses(model, torch.from_numpy(text.validation)[:_READ]).mean()
    return StackedLayers(
        layers,
        seed,
        model.config.hidden_size,
        model.parameter_count,
        tuple(round(nats, 4) for nats in curve),
        round(float(loss), 4),
        round(run.seconds, 1),
    )


def _parameters(vocabulary: int, embedding: int, width: int, layers: int) -> int:
    """Return what an LSTM with an embedding and a linear output holds."""
    inputs = embedding + (layers - 1) * width
    gates = 4 * width * (inputs + layers * width + 2 * layers)
    return vocabulary * embedding + gates + vocabulary * (width + 1)
