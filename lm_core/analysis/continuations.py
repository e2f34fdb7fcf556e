"""What a model writes on, over many draws: whether its next quotation mark closes or opens."""

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import torch

from lm_core.generation.batch_generation import generate_tokens
from lm_core.generation.sampling import SamplingSettings
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

_SPACE = " \n"


class NextMark(NamedTuple):
    """How many continuations have which next quotation mark."""

    closes: int  # after a letter or a sign: it ends a quotation
    opens: int  # after white space: it begins one
    none: int  # no mark was written


def next_quotation_mark(
    model: LanguageModel,
    prompt_ids: np.ndarray,
    vocabulary: CharacterVocabulary,
    settings: SamplingSettings,
    n_texts: int,
    length: int,
    rng: torch.Generator,
    *,
    model_turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> NextMark:
    """Write on from a prompt in many ways, and count which quotation mark comes next.

    Parameters
    ----------
    model, prompt_ids, settings, n_texts, length, rng
        As for `lm_core.generation.batch_generation.generate_tokens`.
    vocabulary : CharacterVocabulary, of the model
    model_turn : callable that returns a context manager, entered for each call of the model
    """
    mark, last = int(vocabulary.encode('"')[0]), int(prompt_ids[-1])
    spaces = torch.from_numpy(vocabulary.encode(_SPACE))
    before = torch.full((n_texts,), last)
    closes, opens = (torch.zeros(n_texts, dtype=torch.bool) for _ in range(2))
    characters = generate_tokens(model, prompt_ids, settings, n_texts, length, rng)
    for _ in range(length):
        with model_turn():
            written = next(characters)
        is_first = (written == mark) & ~closes & ~opens
        is_after_space = torch.isin(before, spaces)
        opens |= is_first & is_after_space
        closes |= is_first & ~is_after_space
        before = written.clone()
    n_closes, n_opens = int(closes.sum()), int(opens.sum())
    return NextMark(n_closes, n_opens, n_texts - n_closes - n_opens)
