"""The vocabulary in a model's provenance: by name for those of the book, with its characters for others."""

from typing import Any

from lm_core.errors import CheckpointError, SettingError
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.vocabularies import OWN, vocabulary_from
from lm_core.training.checkpoints import CheckpointMeta


def vocabulary_fields(vocabulary: CharacterVocabulary) -> dict[str, Any]:
    """Return the fields of a `CheckpointMeta` that say which vocabulary a model reads.

    Examples
    --------
    >>> from lm_core.text.character_vocabulary import SOURCE
    >>> vocabulary_fields(SOURCE)
    {'vocabulary': 'source', 'characters': None}
    """
    is_named = not vocabulary.name.startswith(OWN)
    characters = None if is_named else "".join(vocabulary.symbols[1:])
    return {"vocabulary": vocabulary.name, "characters": characters}


def vocabulary_of(meta: CheckpointMeta) -> CharacterVocabulary:
    """Return the vocabulary whose ids a model reads and writes.

    Raises CheckpointError if the provenance names an unknown vocabulary, its characters do not make
    the vocabulary that it names, or the model's vocabulary has another size.
    """
    try:
        vocabulary = vocabulary_from(meta.vocabulary, meta.characters)
    except SettingError as error:
        raise CheckpointError(f"{meta.name}: {error}") from error
    size = meta.config.get("vocabulary_size", len(vocabulary))
    if size != len(vocabulary):
        raise CheckpointError(
            f"{meta.name} has a vocabulary of {size}, its vocabulary {vocabulary.name!r} has"
            f" {len(vocabulary)} symbols"
        )
    return vocabulary
