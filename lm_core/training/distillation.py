"""What a trained model expects at each position of a text, for a smaller one to learn from.

References
----------
Hinton, Vinyals & Dean 2015, "Distilling the Knowledge in a Neural Network", here at temperature 1.
https://arxiv.org/abs/1503.02531
"""

import torch
from torch import Tensor

from lm_core.models.language_model import LanguageModel

_WINDOW = 128
_LEAD = 256  # tokens that each row reads first, so that it does not begin cold


@torch.no_grad()
def expectations(
    teacher: LanguageModel,
    tokens: Tensor,
    *,
    batch: int = 64,
    dtype: torch.dtype = torch.bfloat16,
) -> Tensor:
    """Return the probabilities that a model gives to what follows each token of a text.

    Parameters
    ----------
    teacher : LanguageModel
        Reads with dropout off.
    tokens : int64 Tensor of shape (N,)
    batch : int
        Parts of the text that are read side by side; each begins with the end of the part before
        it, so only the beginning of the text is read cold.
    dtype : torch.dtype
        Arithmetic of the products.

    Returns
    -------
    float16 Tensor of shape (N, V)
        Row i is the prediction of the token after ``tokens[i]``, from all that was read until then.
    """
    teacher.eval()
    device = next(iter(teacher.parameters()), tokens).device
    tokens = tokens.to(device)
    size = -(-len(tokens) // batch)
    starts = torch.arange(0, len(tokens), size)
    expected = torch.empty(len(tokens), teacher.vocabulary_size, dtype=torch.float16)
    state = teacher.initial_state(len(starts))
    for first in range(-_LEAD, size, _WINDOW):
        last = min(first + _WINDOW, size)
        positions = starts[:, None] + torch.arange(first, last)
        # Before the text its beginning is repeated, after it its end: neither is kept.
        read = tokens[positions.clamp(0, len(tokens) - 1)]
        with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
            logits, state = teacher(read, state)
        if first >= 0:
            inside = positions < len(tokens)
            expected[positions[inside]] = logits[inside].float().softmax(dim=-1).half().cpu()
    return expected
