"""Where did the gradient go? Depth, Jacobians, clipping, normalisation, and derivatives step by step."""

from lm_core.analysis.signal_propagation import expected_variances
from lm_core.experiments.gradients.cliff import descend, loss
from lm_core.experiments.gradients.normalisation import running_statistics, train_network
from lm_core.experiments.gradients.recurrence import recurrent_matrix, unroll
from lm_core.models import deep_network as deep
from lm_core.models.autodiff import Graph, forward_sweep, jacobian, reverse_sweep
from pages.gradients.autodiff import autodiff
from pages.gradients.clipping import clipping
from pages.gradients.depth import depth
from pages.gradients.jacobian import jacobian_of_a_step
from pages.gradients.normalisation import normalisation
from pages.shared import page

_OF_DEPTH = (deep.weight_variance, deep.forward, deep.backward, expected_variances)
_OF_NORMS = (running_statistics, deep.normalise, deep.normalise_backward, train_network)

page.draw(
    "gradients",
    "The *gradient* says how the loss changes with each weight. On its way back it is multiplied in every"
    " layer and at every step, so after many of them it may have vanished or exploded.",
    [
        page.Part("Depth", depth, _OF_DEPTH),
        page.Part("Jacobian", jacobian_of_a_step, (recurrent_matrix, unroll)),
        page.Part("Clipping", clipping, (deep.clipped, loss, descend)),
        page.Part("Batch norm", normalisation, _OF_NORMS),
        page.Part("Autodiff", autodiff, (Graph, forward_sweep, reverse_sweep, jacobian)),
    ],
    picture=3.0,
)
