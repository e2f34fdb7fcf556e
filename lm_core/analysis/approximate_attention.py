"""A trained transformer with approximate attention in place of its own: what that costs in nats."""

import torch
from torch import Tensor

from lm_core.errors import SettingError
from lm_core.models.attention_mask import Sight
from lm_core.models.efficient_attention import draw_features, kernel_attention, local_attention
from lm_core.models.multi_head_attention import joined_heads, split_heads
from lm_core.models.transformer import TransformerLanguageModel


class ApproximateTransformer(TransformerLanguageModel):
    """A transformer whose attention is local, or a kernel's, in all heads of all layers.

    For texts of at most its context, read from a blank memory in one call.

    Parameters
    ----------
    model : TransformerLanguageModel
        Causal and without a bias on its scores; its weights are copied.
    window : int, optional
        Tokens that each may look at, itself included, in a local window.
    features : Tensor of shape (m, d), optional
        Of the linear kernel, from `draw_features`. Exactly one of the two is given.

    Raises
    ------
    SettingError
        If both or none is given, or the model is not of that kind.
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

    def _look(
        self, queries: Tensor, keys: Tensor, values: Tensor, sight: Sight, mask: Tensor
    ) -> Tensor:
        del mask  # both look back only, by their construction
        heads = self.config.heads
        queries, keys, values = (split_heads(t, heads) for t in (queries, keys, values))
        queries, keys = sight.turned(queries, keys)
        if self._window is not None:
            mixed = local_attention(queries, keys, values, self._window)
        else:
            mixed = kernel_attention(queries, keys, values, self._features)
        return joined_heads(mixed)


def with_window(model: TransformerLanguageModel, window: int) -> ApproximateTransformer:
    """Return a model that looks at the last `window` tokens only."""
    return ApproximateTransformer(model, window=window)


def with_kernel(
    model: TransformerLanguageModel, n_features: int, rng: torch.Generator
) -> ApproximateTransformer:
    """Return a model whose softmax is approximated by a kernel of `n_features` features."""
    features = draw_features(model.config.head_width, n_features, rng)
    return ApproximateTransformer(model, features=features)
