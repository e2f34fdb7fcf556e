"""What every way of writing begins from."""

from collections.abc import Sequence

import numpy as np

from lm_core.errors import TextError
from lm_core.models.language_model import LanguageModel
from lm_core.text.character_vocabulary import CharacterVocabulary

DEFAULT_PROMPT = ". "
"""Read where the visitor gives no prompt: the end of a sentence. (The source's predict.py does so.)"""


def default_prompt(vocabulary: CharacterVocabulary) -> str:
    """Return `DEFAULT_PROMPT`, or what a vocabulary without a full stop or a space has instead."""
    if all(character in vocabulary for character in DEFAULT_PROMPT):
        return DEFAULT_PROMPT
    return next((c for c in "\n " if c in vocabulary), vocabulary.symbols[1])


def checked_prompt(prompt_ids: Sequence[int] | np.ndarray, model: LanguageModel) -> tuple[int, ...]:
    """Return a prompt as plain ints that the model can read.

    Raises TextError if the prompt is empty or holds an id outside [0, V).
    """
    prompt = tuple(int(i) for i in prompt_ids)
    if not prompt:
        raise TextError(
            f"a prompt must hold at least one character, got none; {DEFAULT_PROMPT!r} will do"
        )
    if min(prompt) < 0 or max(prompt) >= model.vocabulary_size:
        raise TextError(
            f"prompt ids must lie in [0, {model.vocabulary_size}),"
            f" got {min(prompt)} to {max(prompt)}"
        )
    return prompt
