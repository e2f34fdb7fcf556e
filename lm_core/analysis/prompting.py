"""What a language model answers: its own continuation of a prompt, and how probable it finds given answers.

A model that only continues texts is asked by a text whose continuation is the answer. Among given
answers it chooses the most probable one, its end included (Brown et al. 2020, section 2.4).

References
----------
Brown et al. 2020, "Language Models are Few-Shot Learners". https://arxiv.org/abs/2005.14165
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from lm_core.errors import TextError
from lm_core.models.language_model import LanguageModel, select_rows


class AnswerScores(NamedTuple):
    """How probable a model finds each of N answers after a prompt."""

    log_probabilities: Tensor
    """float64, of shape (N,). Natural logarithm of each answer's probability: a sum over its
    tokens."""
    is_greedy: Tensor
    """bool, of shape (N,). Whether the model would write the answer, if it always took the most
    probable token."""


@torch.inference_mode()
def score_answers(
    model: LanguageModel, prompt: np.ndarray, answers: Sequence[np.ndarray]
) -> AnswerScores:
    """Read a prompt once, and each answer after it.

    Raises TextError if the prompt, the list of answers, or one of them is empty.

    Parameters
    ----------
    model : LanguageModel, in evaluation mode
    prompt : int64 ndarray of shape (T,), T >= 1
    answers : sequence of int64 ndarray, each with at least one token
        With whatever ends an answer, or else a beginning is taken for the whole.
    """
    if not len(prompt) or not answers or not all(map(len, answers)):
        raise TextError("a prompt and every answer must have at least one token")
    logits, state = model(torch.as_tensor(prompt)[None], model.initial_state(1))
    longest = max(map(len, answers))
    tokens = torch.zeros(len(answers), longest, dtype=torch.int64)
    is_token = torch.zeros(len(answers), longest, dtype=torch.bool)
    for i, answer in enumerate(answers):
        tokens[i, : len(answer)] = torch.as_tensor(answer)
        is_token[i, : len(answer)] = True
    logits = logits[:, -1:].expand(len(answers), -1, -1)  # what the prompt's last token predicts
    if longest > 1:
        rows = select_rows(state, torch.zeros(len(answers), dtype=torch.int64))
        following, _ = model(tokens[:, :-1], rows)
        logits = torch.cat([logits, following], 1)  # (N, longest, V)
    logs = logits.double().log_softmax(-1).gather(-1, tokens[..., None])[..., 0]
    is_best = logits.argmax(-1) == tokens
    return AnswerScores((logs * is_token).sum(1), (is_best | ~is_token).all(1))
