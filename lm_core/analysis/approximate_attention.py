"""A trained transformer with approximate attention in place of its own: what that costs in nats."""

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.efficient_attention import draw_features, kernel_attention, local_attention
from lm_core.models.multi_head_attention import AttentionMask
from lm_core.models.transformer import TransformerLanguageModel


class ApproximateTransformer(TransformerLanguageModel):
    """A transformer whose attention is local, or a kernel's, in all heads of all layers.

    For texts of at most its context, read from an empty memory in one call. Raises SettingError if
    both or none is given, or the model is not of that kind.

    Parameters
    ----------
    model : TransformerLanguageModel, causal and without a bias on its scores; its weights are copied
    window : int, tokens that each may attend to, itself included, in a local window
    features : Tensor of shape (m, d), optional
        Of the linear kernel, from `draw_features`. Exactly one of the two is given.
    """

    def __init__(
        self,
        model: TransformerLanguageModel,
        *,
        window: int | None = None,
        features: Tensor | None = None,
    ) -> None:
        super().__init__(model.config)
        if (window is None) == (features is None):
            raise SettingError("either a window or features must be given, and not both")
        if not model.config.causal or model.config.position in ("alibi", "t5"):
            raise SettingError(
                "the model must be causal and without a bias on its scores, got"
                f" causal={model.config.causal} and position {model.config.position!r}"
            )
        self._window, self._features = window, features
        self.load_state_dict(model.state_dict())
        self.eval()

    def attention(
        self, queries: Tensor, keys: Tensor, values: Tensor, mask: AttentionMask
    ) -> Tensor:
        """Approximate the attention of all heads, (B, H, T, d)."""
        del mask  # both are causal by their construction
        if self._features is not None:
            return kernel_attention(queries, keys, values, self._features)
        assert self._window is not None  # the constructor requires one of the two
        return local_attention(queries, keys, values, self._window)


def with_window(model: TransformerLanguageModel, window: int) -> ApproximateTransformer:
    """Return a model that attends to the last `window` tokens only."""
    return ApproximateTransformer(model, window=window)


def with_kernel(
    model: TransformerLanguageModel, n_features: int, rng: torch.Generator
) -> ApproximateTransformer:
    """Return a model whose softmax is approximated by a kernel of `n_features` features."""
    features = draw_features(model.config.head_width, n_features, rng)
    return ApproximateTransformer(model, features=features)
