"""What weights must be before a model may use them, wherever they come from."""

import torch
from torch import Tensor

from lm_core.errors import SettingError


def require_finite(name: str, weight: Tensor) -> None:
    """Refuse a weight that is no finite number everywhere: every answer of the model would be NaN.

    Raises SettingError if it holds infinity or NaN.
    """
    # The extremes of a tensor with a NaN are NaN, and need no table of their own as isfinite does.
    if weight.numel() and not torch.stack(torch.aminmax(weight)).isfinite().all():
        raise SettingError(
            f"weights must be finite numbers, {name!r} holds infinity or NaN: its training diverged, or the"
            " file is damaged, so take another one"
        )
