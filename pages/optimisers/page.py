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
from pages.optimisers.learning_rate import one_rate
from pages.optimisers.line_search import exact_line_search
from pages.optimisers.minibatches import minibatches
from pages.optimisers.network import bengios_model
from pages.optimisers.race import race
from pages.shared import page

page.draw(
    "optimisers",
    "An *optimiser* moves parameters downhill on a loss that it sees only where it stands.",
    [
        page.Part(
            "Race",
            race,
            (GradientDescent, AdaGrad, RMSProp, AdaDelta, Adam, Muon, descend, descend_by_newton),
            [
                "Start on the level line of the *Saddle*, θ₂ = 0. Who leaves it, and why does Newton not?",
                "Choose the *Plateau* and start far out. Which optimisers still move?",
                "On the *Banana*, who turns round the corner first?",
                "Choose *momentum* and *EMA momentum*. Which one takes the larger steps late in the run, and why?",
            ],
        ),
        page.Part(
            "Learning rate",
            one_rate,
            (GradientDescent, edge_of_divergence),
            [
                "Find the highest rate that still converges for κ = 50, by trying. What is it times κ?",
                "At η = 0.1 and κ = 10 the steep direction is done after one step. Why?",
                "Which rate is best at the end? Is it nearer to 0 or to the edge?",
            ],
        ),
        page.Part(
            "Line search",
            exact_line_search,
            (best_rate, descend_by_line_search),
            [
                "Switch *Worst start* off and drag the start onto a long axis of the ellipses. What happens?",
                "Set κ = 1. How many steps does it take from anywhere?",
                "Compare the same start with a fixed rate under *Learning rate*. Is the best rate worth its price?",
            ],
        ),
        page.Part(
            "Minibatches",
            minibatches,
            (descend_by_minibatches,),
            [
                "Change the seed with B = 1, then with B = 64. Which way changes?",
                "How many gradients of one example has each batch size used when the loss is first below 0.1?",
            ],
        ),
        page.Part(
            "A real network",
            bengios_model,
            (train, best_of_rates),
            [
                "Change from steps to seconds. Who loses most, and why?",
                "Compare with the *Race*: is the order of the optimisers the same on two parameters?",
            ],
        ),
    ],
    picture=3.0,
)
