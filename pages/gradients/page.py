"""Where did the gradient go? Depth, Jacobians, clipping, normalisation, and derivatives step by step."""

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.experiments.gradients.cliff import descend, loss
from lm_core.experiments.gradients.normalisation import running_statistics, train_network
from lm_core.experiments.gradients.recurrence import recurrent_matrix, unroll
from lm_core.models.autodiff import Graph, forward_sweep, jacobian, reverse_sweep
from lm_core.models.deep_network import (
    backward,
    clipped,
    forward,
    normalise,
    normalise_backward,
    weight_variance,
)
from pages.gradients.autodiff import autodiff, choose_formula
from pages.gradients.clipping import choose_clipping, clipping
from pages.gradients.depth import choose_layers, depth
from pages.gradients.jacobian import choose_recurrence, jacobian_of_a_step
from pages.gradients.normalisation import choose_size, normalisation
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

DEPTH, JACOBIAN, CLIPPING = "Depth", "Jacobian", "Clipping"
NORMALISATION, AUTODIFF = "Batch norm", "Autodiff"
CODE = {
    DEPTH: (weight_variance, forward, backward, expected_variances),
    JACOBIAN: (recurrent_matrix, unroll),
    CLIPPING: (clipped, loss, descend),
    NORMALISATION: (running_statistics, normalise, normalise_backward, train_network),
    AUTODIFF: (Graph, forward_sweep, reverse_sweep, jacobian),
}
SUGGESTIONS = {
    DEPTH: [
        "Find the σ of naive weights that suits tanh. Is it the one that suits ReLU?",
        "Choose ReLU: Xavier's gradient is halved in every layer. Whose is not, and why?",
        "Sigmoid: does any initialisation help? Do residual connections, does layer norm?",
        "Batch norm makes gradients grow with every layer. By how much in each, for ReLU and for tanh?",
    ],
    JACOBIAN: [
        "Move the spectral radius to 1.1. After how many steps is a gradient ten times as long?",
        "Triangular, λ = 0.9: how can a gradient grow when every eigenvalue is below 1?",
        "Choose tanh under *More*: from which radius on does the gradient no longer vanish?",
        "Orthogonal, λ = 1: why does every gradient keep its length?",
    ],
    CLIPPING: [
        "Drag the start along the valley. From where is the unclipped descent never thrown?",
        "How large may c be before the clipped descent is thrown as well?",
        "Does clipping help against a gradient that vanishes?",
    ],
    NORMALISATION: [
        "Batches of 2: which values can a normalised pair have?",
        "At which batch size is batch norm as good as layer norm here?",
        "Why is a network with batch norm often worse with its batches' own statistics than with running ones?",
    ],
    AUTODIFF: [
        "Type x*x*x and look at the adjoint of x: how many ways lead from it to the output?",
        "Two formulas, x*y; x/y: how many forward sweeps does the Jacobian take, how many reverse ones?",
        "Type tanh(tanh(tanh(x))) and raise x: where does the gradient go?",
        "Type 1/(x - 2), or log(x - 3). Why is there no derivative?",
    ],
}

page_header(
    "gradients",
    "The *gradient* says how the loss changes with each weight. On its way back through many layers or steps"
    " it may vanish or explode.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((DEPTH, JACOBIAN, CLIPPING, NORMALISATION, AUTODIFF))

# Picture and explanation ----------------------------------------------------------------------
if part == DEPTH:
    depth(screen, choose_layers(screen))
elif part == JACOBIAN:
    jacobian_of_a_step(screen, choose_recurrence(screen))
elif part == CLIPPING:
    clipping(screen, choose_clipping(screen))
elif part == NORMALISATION:
    normalisation(screen, choose_size(screen))
else:
    autodiff(screen, choose_formula(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(SUGGESTIONS[part])
