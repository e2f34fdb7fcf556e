"""Where did the gradient go? Depth, Jacobians, clipping, normalisation, and derivatives step by step."""

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.experiments.gradients.cliff import descend, loss
from lm_core.experiments.gradients.normalisation import running_statistics, train_network
from lm_core.experiments.gradients.recurrence import recurrent_matrix, unroll
from lm_core.models import deep_network
from lm_core.models.autodiff import Graph, forward_sweep, jacobian, reverse_sweep
from pages.gradients.autodiff import autodiff
from pages.gradients.clipping import clipping
from pages.gradients.depth import depth
from pages.gradients.jacobian import jacobian_of_a_step
from pages.gradients.normalisation import normalisation
from pages.shared import page

PARTS = [
    page.Part(
        "Depth",
        depth,
        (
            *(deep_network.weight_variance, deep_network.forward, deep_network.backward),
            expected_variances,
        ),
        [
            "Find the σ of naive weights that suits tanh. Is it the one that suits ReLU?",
            "Choose ReLU: Xavier's gradient is halved in every layer. Whose is not, and why?",
            "Sigmoid: does any initialisation help? Do residual connections, does layer norm?",
            "Batch norm makes gradients grow with every layer. By how much in each, for ReLU and for tanh?",
        ],
    ),
    page.Part(
        "Jacobian",
        jacobian_of_a_step,
        (recurrent_matrix, unroll),
        [
            "Move the spectral radius to 1.1. After how many steps is a gradient ten times as long?",
            "Triangular, λ = 0.9: how can a gradient grow when every eigenvalue is below 1?",
            "Choose tanh under *More*: from which radius on does the gradient no longer vanish?",
            "Orthogonal, λ = 1: why does every gradient keep its length?",
        ],
    ),
    page.Part(
        "Clipping",
        clipping,
        (deep_network.clipped, loss, descend),
        [
            "Drag the start along the valley. From where is the unclipped descent never thrown?",
            "How large may c be before the clipped descent is thrown as well?",
            "Does clipping help against a gradient that vanishes?",
        ],
    ),
    page.Part(
        "Batch norm",
        normalisation,
        (
            *(running_statistics, deep_network.normalise),
            *(deep_network.normalise_backward, train_network),
        ),
        [
            "Batches of 2: which values can a normalised pair have?",
            "At which batch size is batch norm as good as layer norm here?",
            "Why is a network with batch norm often worse with its batches' own statistics than with running ones?",
        ],
    ),
    page.Part(
        "Autodiff",
        autodiff,
        (Graph, forward_sweep, reverse_sweep, jacobian),
        [
            "Type x*x*x and look at the adjoint of x: how many ways lead from it to the output?",
            "Two formulas, x*y; x/y: how many forward sweeps does the Jacobian take, how many reverse ones?",
            "Type tanh(tanh(tanh(x))) and raise x: where does the gradient go?",
            "Type 1/(x - 2), or log(x - 3). Why is there no derivative?",
        ],
    ),
]

page.draw(
    "gradients",
    "The *gradient* says how the loss changes with each weight. On its way back through many layers or steps"
    " it may vanish or explode.",
    PARTS,
    picture=3.0,
)
