"""The alphabet in a model's stamp: by name for those of the book, with its characters for others."""

from typing import Any

from lm_core.errors import CheckpointError, SettingError
from lm_core.text.character_vocabulary import Alphabet
from lm_core.text.own_vocabulary import OWN, alphabet_from
from lm_core.training.checkpoints import CheckpointMeta


def alphabet_fields(alphabet: Alphabet) -> dict[str, Any]:
    """Return the fields of a `CheckpointMeta` that say which alphabet a model reads.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import SOURCE
    >>> alphabet_fields(SOURCE)
    {'alphabet': 'source', 'characters': None}
    """
    is_named = not alphabet.name.startswith(OWN)
    characters = None if is_named else "".join(alphabet.symbols[1:])
    return {"alphabet": alphabet.name, "characters": characters}


def alphabet_of(meta: CheckpointMeta) -> Alphabet:
    """Return the alphabet whose ids a model reads and writes.

    Raises
    ------
    CheckpointError
        If the stamp names an unknown alphabet, its characters do not make the alphabet that it
        names, or the model's vocabulary has another size.
    """
    try:
        alphabet = alphabet_from(meta.alphabet, meta.characters)
    except SettingError as error:
        raise CheckpointError(f"{meta.name}: {error}") from error
    size = meta.config.get("vocabulary_size", len(alphabet))
    if size != len(alphabet):
        raise CheckpointError(
            f"{meta.name} has a vocabulary of {size}, its alphabet {alphabet.name!r} has"
            f" {len(alphabet)} symbols"
        )
    return alphabet
