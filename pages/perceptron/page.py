"""Can a line do it? One perceptron, three of them by hand, and networks that learn."""

from lm_core.experiments.perceptron.study import count_failures
from lm_core.experiments.perceptron.training import train
from lm_core.models.activations import Activation
from lm_core.models.feed_forward import backward, forward, initialise
from lm_core.models.perceptron import Perceptron, StepNetwork, best_line, learn
from pages.perceptron.activations import nine_activations
from pages.perceptron.by_hand import by_hand
from pages.perceptron.one_line import one_line
from pages.perceptron.starts import starts
from pages.perceptron.trained import trained
from pages.shared import page

PARTS = [
    page.Part("One line", one_line, (Perceptron, learn, best_line)),
    page.Part("By hand", by_hand, (StepNetwork, Perceptron)),
    page.Part("Trained", trained, (forward, backward, train)),
    page.Part("Starts", starts, (initialise, train, count_failures)),
    page.Part("Activations", nine_activations, (Activation, backward)),
]

page.draw(
    "perceptron",
    "A *perceptron* answers 1 on one side of a line and 0 on the other. No single line divides XOR, so it"
    " needs more than one.",
    PARTS,
    picture=3.0,
)
