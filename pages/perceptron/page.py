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
    page.Part(
        "One line",
        one_line,
        (Perceptron, learn, best_line),
        [
            "Step through AND. Which points make the line move, and which never do?",
            "Choose *Your own*. Paint two classes that a line divides, then add one point so that none does.",
            "Paint points of one class only. What does the rule learn?",
            "How few points can you paint so that no line does it?",
        ],
    ),
    page.Part(
        "By hand",
        by_hand,
        (StepNetwork, Perceptron),
        [
            "Change the bias of h1 from −1.5 to −0.5. Which function is h1 now, and what becomes of y?",
            "Make the network compute NOT XOR by changing three numbers only.",
            "Where do (0, 1) and (1, 0) go in the plane of h1 and h2?",
        ],
    ),
    page.Part(
        "Trained",
        trained,
        (forward, backward, train),
        [
            "Change the seed. How often do two hidden units find the lines of AND and OR?",
            "Choose *Ring* and 1, 2, 3, 4 units. How many half-planes does a closed border need?",
            "Choose *Spirals*: two layers of 4 units or one layer of 8?",
            "Paint points of your own, and choose ReLU and tanh in turn. Which borders have corners?",
        ],
    ),
    page.Part(
        "Starts",
        starts,
        (initialise, train, count_failures),
        [
            "Two units suffice for XOR. How many do you need so that hardly a start fails?",
            "Do more layers make failures rarer or more frequent? Compare tanh and sigmoid.",
            "ReLU fails most often. Look at its failed starts: what do their surfaces have in common?",
            "Swish, GELU and sine learn XOR with a single unit. Click one: how can one line be enough?",
        ],
    ),
    page.Part(
        "Activations",
        nine_activations,
        (Activation, backward),
        [
            "Which functions let no gradient through on the left? Which on neither side?",
            "Ten sigmoid layers: by how much is a gradient multiplied at most?",
            "Swish and GELU fall before they rise. Where is their lowest value?",
        ],
    ),
]

page.draw(
    "perceptron",
    "A *perceptron* answers 1 on one side of a line and 0 on the other. XOR needs more than one.",
    PARTS,
    picture=3.0,
)
