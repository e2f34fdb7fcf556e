"""Beam search: look for a probable text as a whole instead of for a probable next character.

It is no sampling: the same prompt gives the same texts. On prose it shows why the most probable
text is not the best one: it goes round in circles.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import torch

from lm_core.errors import require_at_least_1
from lm_core.generation.decoder import ModelDecoder, device_of
from lm_core.generation.prompts import checked_prompt
from lm_core.models.language_model import LanguageModel, select_rows


@dataclass(frozen=True)
class Beam:
    """One continuation and the natural logarithm of its probability under the model."""

    tokens: tuple[int, ...]
    log_probability: float


@torch.inference_mode()
def beam_search(
    model: LanguageModel, prompt_ids: Sequence[int] | np.ndarray, width: int, length: int
) -> list[Beam]:
    """Find probable continuations: after each character keep the `width` best beginnings.

    Width 1 is greedy writing; with a width of at least V ** (length - 1) nothing is ever lost and
    the first beam is the most probable text there is. In between there is no promise, not even
    that a wider search does better than a narrow one. All texts are equally long and have no end
    mark, so there is nothing that a length penalty could change.

    Parameters
    ----------
    model : LanguageModel
    prompt_ids : ints in [0, V), at least one
    width, length : int, at least 1
        Beginnings kept, and characters to write.

    Returns
    -------
    list of Beam
        The most probable first; at most `width`, fewer only where there are fewer texts of a
        probability above 0.

    Raises
    ------
    TextError
        If the prompt is empty or holds an id that the model does not know.
    SettingError
        If `width` or `length` is less than 1.
    """
    require_at_least_1(width=width, length=length)
    device = device_of(model)
    logits, state = ModelDecoder(model).read(np.array(checked_prompt(prompt_ids, model)))
    logits = logits.unsqueeze(0)  # (W, V), W beams: one to begin with
    totals = torch.zeros(1, 1, dtype=torch.float64)  # (W, 1)
    texts = torch.empty(1, 0, dtype=torch.int64)  # (W, t)
    for t in range(length):
        candidates = (totals + logits.log_softmax(-1, dtype=torch.float64)).flatten()  # (W * V,)
        # A stable sort, so that of equals the one whose text comes first by id is kept.
        best = candidates.sort(descending=True, stable=True).indices[:width]
        best = best[candidates[best] > -torch.inf]
        parents, tokens = best // model.vocabulary_size, best % model.vocabulary_size
        totals = candidates[best].unsqueeze(-1)
        texts = torch.cat([texts[parents], tokens.unsqueeze(-1)], dim=-1)
        if t < length - 1:
            state = select_rows(state, parents.to(device))
            logits, state = model(tokens.unsqueeze(-1).to(device), state)
            logits = logits[:, 0].cpu()
    return [
        Beam(tuple(text), total)
        for text, total in zip(texts.tolist(), totals[:, 0].tolist(), strict=True)
    ]
