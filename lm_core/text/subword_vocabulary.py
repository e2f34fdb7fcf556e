"""An vocabulary of word parts: what byte-pair encoding makes of a character vocabulary.

A model of the book reads it as it reads characters, but each token brings three of them or so. The
text underneath is the same, so losses per character can be compared.
"""

from dataclasses import dataclass

import numpy as np

from lm_core.assets import TOKENIZERS
from lm_core.text.character_vocabulary import SOURCE, UNKNOWN, CharacterVocabulary
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.tokenizer_json import from_tokenizer_json

SHIPPED_TOKENIZERS = TOKENIZERS


@dataclass(frozen=True)
class SubwordVocabulary(CharacterVocabulary):
    """Characters of an vocabulary, and parts of words that are spelled with them.

    Attributes
    ----------
    tokenizer : BytePairTokenizer
        Its symbols are the vocabulary's; `UNKNOWN` has id 0.
    """

    tokenizer: BytePairTokenizer

    @classmethod
    def learn(
        cls, name: str, base: CharacterVocabulary, text: str, size: int
    ) -> "SubwordVocabulary":
        """Learn the `size` symbols of an vocabulary on a text that the base has normalised."""
        tokenizer = BytePairTokenizer.fit(
            text,
            size,
            base="characters",
            special_tokens=(UNKNOWN,),
            known_characters="".join(base.symbols[1:]),
        )
        return cls(name, tokenizer.symbols, base.normalise, tokenizer)

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text that is already normalised; unknown characters become 0.

        Returns
        -------
        ndarray of int64, shape (number of tokens,)
        """
        return self.tokenizer.encode(text)


def load_source_pairs(name: str) -> SubwordVocabulary:
    """Return a shipped vocabulary of word parts over `SOURCE`."""
    tokenizer = from_tokenizer_json((SHIPPED_TOKENIZERS / f"{name}.json").read_bytes())
    return SubwordVocabulary(name, tokenizer.symbols, SOURCE.normalise, tokenizer)
