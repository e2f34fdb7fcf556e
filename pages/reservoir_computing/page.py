"""Must the recurrent weights be learned? A random network and a solved read-out, on four tasks."""

from lm_core.experiments.reservoir_computing.echo import largest_singular_value, start_twice
from lm_core.experiments.reservoir_computing.memory import (
    linear_memory,
    memory_capacity,
    recall_by_delay,
)
from lm_core.experiments.reservoir_computing.rnn import train_rnn
from lm_core.experiments.reservoir_computing.series import forecast, mackey_glass, study_series
from lm_core.experiments.reservoir_computing.study import score
from lm_core.models import reservoir
from lm_core.models.reservoir_language_model import ReservoirLanguageModel, gather_next_symbols
from lm_core.models.ridge import RidgeSums, ridge
from pages.reservoir_computing.echo import echo_state
from pages.reservoir_computing.letters import letters
from pages.reservoir_computing.memory import memory
from pages.reservoir_computing.radius import radius_of_tasks
from pages.reservoir_computing.series import series
from pages.shared import page

PARTS = [
    page.Part(
        "Series",
        series,
        (reservoir.run_reservoir, ridge, forecast, study_series, mackey_glass, train_rnn),
    ),
    page.Part(
        "Memory", memory, (memory_capacity, recall_by_delay, linear_memory, reservoir.run_reservoir)
    ),
    page.Part("Letters", letters, (gather_next_symbols, RidgeSums, ReservoirLanguageModel)),
    page.Part(
        "Echo state",
        echo_state,
        (
            reservoir.draw_reservoir,
            reservoir.scale_reservoir,
            reservoir.scaled_eigenvalues,
            start_twice,
            largest_singular_value,
        ),
    ),
    page.Part("Which λ?", radius_of_tasks, (score, reservoir.scale_reservoir)),
]

page.draw(
    "reservoir-computing",
    "The *recurrent* weights of this network are drawn at random and kept. Only its *read-out* is"
    " learned, so no gradient has to find its way back through time.",
    PARTS,
    picture=3.0,
)
