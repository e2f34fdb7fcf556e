"""Which way is down? Optimisers on losses of two parameters, every step in view."""

from lm_core.experiments.optimisers.descent import (
    best_rate,
    descend,
    descend_by_line_search,
    descend_by_minibatches,
    descend_by_newton,
    edge_of_divergence,
)
from lm_core.experiments.optimisers.study import best_of_rates, train
from lm_core.training.update_rules import AdaDelta, AdaGrad, Adam, GradientDescent, Muon, RMSProp
from pages.optimisers.learning_rate import choose_rate, one_rate
from pages.optimisers.line_search import choose_search, exact_line_search
from pages.optimisers.minibatches import choose_batch, minibatches
from pages.optimisers.network import bengios_model, choose_axis
from pages.optimisers.race import choose_race, race
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

RACE, RATE, SEARCH = "Race", "Learning rate", "Line search"
BATCHES, NETWORK = "Minibatches", "A real network"
CODE = {
    RACE: (GradientDescent, AdaGrad, RMSProp, AdaDelta, Adam, Muon, descend, descend_by_newton),
    RATE: (GradientDescent, edge_of_divergence),
    SEARCH: (best_rate, descend_by_line_search),
    BATCHES: (descend_by_minibatches,),
    NETWORK: (train, best_of_rates),
}
SUGGESTIONS = {
    RACE: [
        "Start on the level line of the *Saddle*, θ₂ = 0. Who leaves it, and why does Newton not?",
        "Choose the *Plateau* and start far out. Which optimisers still move?",
        "On the *Banana*, who turns round the corner first?",
        "Choose *momentum* and *EMA momentum*. Which one takes the larger steps late in the run, and why?",
    ],
    RATE: [
        "Find the highest rate that still converges for κ = 50, by trying. What is it times κ?",
        "At η = 0.1 and κ = 10 the steep direction is done after one step. Why?",
        "Which rate is best at the end? Is it nearer to 0 or to the edge?",
    ],
    SEARCH: [
        "Switch *Worst start* off and drag the start onto a long axis of the ellipses. What happens?",
        "Set κ = 1. How many steps does it take from anywhere?",
        "Compare the same start with a fixed rate under *Learning rate*. Is the best rate worth its price?",
    ],
    BATCHES: [
        "Change the seed with B = 1, then with B = 64. Which way changes?",
        "How many gradients of one example has each batch size used when the loss is first below 0.1?",
    ],
    NETWORK: [
        "Change from steps to seconds. Who loses most, and why?",
        "Compare with the *Race*: is the order of the optimisers the same on two parameters?",
    ],
}

page_header(
    "optimisers",
    "An *optimiser* moves parameters downhill on a loss that it sees only where it stands.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((RACE, RATE, SEARCH, BATCHES, NETWORK))

# Picture and explanation ----------------------------------------------------------------------
if part == RACE:
    race(screen, choose_race(screen))
elif part == RATE:
    one_rate(screen, choose_rate(screen))
elif part == SEARCH:
    exact_line_search(screen, choose_search(screen))
elif part == BATCHES:
    minibatches(screen, choose_batch(screen))
else:
    bengios_model(screen, choose_axis(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(SUGGESTIONS[part])
