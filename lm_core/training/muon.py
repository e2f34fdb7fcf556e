"""Muon for the matrices between layers, AdamW for everything else.

Muon makes each step of a weight matrix an orthogonal one: all directions of the matrix move equally
far, however strong the gradient along them is. Embedding, output, norms and biases stay with AdamW.

References
----------
Jordan et al. 2024, "Muon: An optimizer for hidden layers in neural networks".
https://kellerjordan.github.io/posts/muon/
Liu et al. 2025, "Muon is Scalable for LLM Training" (steps as long as AdamW's).
https://arxiv.org/abs/2502.16982
"""

from typing import Any

from torch import nn

from lm_core.training.eager_optimizers import AdamW, Muon

_BETAS = (0.9, 0.99)
ADAMW_SHARE = 0.2
"""Of Muon's learning rate, which is the higher one, where nothing else is said."""


class MuonAndAdamW:
    """Two of torch's optimizers that take their steps together.

    Its learning rate, Muon's, is to be set in all `param_groups` before each step; AdamW takes a
    share of it.

    Parameters
    ----------
    model : nn.Module, with a last layer named `output`, unless its embedding is that, too
    weight_decay : float, on the matrices between layers only
    adamw_share : float, AdamW's learning rate as a share of Muon's
    """

    def __init__(
        self, model: nn.Module, weight_decay: float, adamw_share: float = ADAMW_SHARE
    ) -> None:
        self._adamw_share = adamw_share
        spared = {id(m.weight) for m in model.modules() if isinstance(m, nn.Embedding)}
        spared |= {id(p) for name, p in model.named_parameters() if name == "output.weight"}
        matrices: list[nn.Parameter] = []
        others: list[nn.Parameter] = []
        for parameter in model.parameters():
            is_matrix = parameter.dim() == 2 and id(parameter) not in spared
            (matrices if is_matrix else others).append(parameter)
        self._muon = Muon(matrices, weight_decay=weight_decay, adjust_lr_fn="match_rms_adamw")
        self._adamw = AdamW(others, betas=_BETAS, weight_decay=0.0)

    @property
    def param_groups(self) -> list[dict[str, Any]]:
        """What both have been set to, and for which weights."""
        return self._muon.param_groups + self._adamw.param_groups

    def zero_grad(self) -> None:
        """Forget the last gradient."""
        self._muon.zero_grad()
        self._adamw.zero_grad()

    def step(self) -> None:
        """Move the weights."""
        for group in self._adamw.param_groups:
            group["lr"] *= self._adamw_share
        self._muon.step()
        self._adamw.step()

    def state_dict(self) -> dict[str, Any]:
        """Return what has been gathered of past gradients."""
        return {"muon": self._muon.state_dict(), "adamw": self._adamw.state_dict()}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record.

        Raises KeyError or ValueError if it is of another optimizer or model.
        """
        self._muon.load_state_dict(saved["muon"])
        self._adamw.load_state_dict(saved["adamw"])
