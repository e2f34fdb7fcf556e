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
from pages.reservoir_computing.echo import choose_echo, echo_state
from pages.reservoir_computing.letters import choose_letters, letters
from pages.reservoir_computing.memory import choose_memory, memory
from pages.reservoir_computing.radius import choose_radius, radius_of_tasks
from pages.reservoir_computing.series import choose_series, series
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

SERIES, MEMORY, LETTERS = "Series", "Memory", "Letters"
ECHO, RADIUS = "Echo state", "Which λ?"
CODE = {
    SERIES: (reservoir.run_reservoir, ridge, forecast, study_series, mackey_glass, train_rnn),
    MEMORY: (memory_capacity, recall_by_delay, linear_memory, reservoir.run_reservoir),
    LETTERS: (gather_next_symbols, RidgeSums, ReservoirLanguageModel),
    ECHO: (
        reservoir.draw_reservoir,
        reservoir.scale_reservoir,
        reservoir.scaled_eigenvalues,
        start_twice,
        largest_singular_value,
    ),
    RADIUS: (score, reservoir.scale_reservoir),
}

page_header(
    "reservoir-computing",
    "The *recurrent* weights of this network are drawn at random and kept. Only its *read-out* is"
    " learned, so no gradient has to find its way back through time.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((SERIES, MEMORY, LETTERS, ECHO, RADIUS))

# Picture and explanation ----------------------------------------------------------------------
if part == SERIES:
    series(screen, *choose_series(screen))
elif part == MEMORY:
    memory(screen, choose_memory(screen))
elif part == LETTERS:
    letters(screen, choose_letters(screen))
elif part == ECHO:
    echo_state(screen, choose_echo(screen))
else:
    radius_of_tasks(screen, choose_radius(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)
