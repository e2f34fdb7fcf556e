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
    "An *optimiser* moves parameters downhill on a loss that it sees only where it stands. So how far the"
    " next step may go has to be guessed.",
    [
        page.Part(
            "Race",
            race,
            (GradientDescent, AdaGrad, RMSProp, AdaDelta, Adam, Muon, descend, descend_by_newton),
        ),
        page.Part("Learning rate", one_rate, (GradientDescent, edge_of_divergence)),
        page.Part("Line search", exact_line_search, (best_rate, descend_by_line_search)),
        page.Part("Minibatches", minibatches, (descend_by_minibatches,)),
        page.Part("A real network", bengios_model, (train, best_of_rates)),
    ],
    picture=3.0,
)
