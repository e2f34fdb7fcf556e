"""The next character of the book, by a reservoir and by a recurrent network of as many units that learned all its weights."""

import numpy as np
import torch

from lm_core.models.reservoir import (
    SPARSE,
    ReservoirDraws,
    ReservoirSettings,
    draw_reservoir,
    scale_reservoir,
)
from lm_core.models.reservoir_language_model import ReservoirLanguageModel, gather_next_symbols
from lm_core.rng import generator
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training.evaluation import carried_losses

UNITS = 256
RNN = "book-rnn"
"""The shipped checkpoint of as many units."""
DENSITY, PENALTY, FLOOR = 0.1, 1.0, 1e-3
N_TRAIN, N_SCORED = 300_000, 50_000
"""Characters of the training part that are learned from, and of the validation part that are scored."""


def letter_settings(radius: float) -> ReservoirSettings:
    """Return the settings that were chosen on a held-out piece of the training part, with this spectral radius."""
    return ReservoirSettings(radius, leak=1.0, input_scale=1.0)


def letter_draws(seed: int, kind: str = SPARSE) -> ReservoirDraws:
    """Draw a reservoir on characters; its numbers are those that float32 can hold, in which they are shipped."""
    drawn = draw_reservoir(UNITS, len(SOURCE), DENSITY, generator(seed), kind)
    recurrent, inputs, bias = (part.astype(np.float32).astype(float) for part in drawn[:3])
    return ReservoirDraws(recurrent, inputs, bias, drawn.eigenvalues)


def learn_letters(draws: ReservoirDraws, radius: float, text: np.ndarray) -> ReservoirLanguageModel:
    """Solve the read-out of the next character from a text's ids."""
    reservoir = scale_reservoir(draws, letter_settings(radius))
    return ReservoirLanguageModel(
        reservoir, gather_next_symbols(reservoir, text).solve(PENALTY), FLOOR
    )


def loss_on_letters(model: ReservoirLanguageModel, text: np.ndarray) -> float:
    """Return nats per character of a text, read in one go."""
    return float(carried_losses(model, torch.from_numpy(text)).mean())
