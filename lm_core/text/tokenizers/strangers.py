"""A tokenizer that a stranger has brought: everything that its file makes a library do is bounded.

Reading the file and encoding by it happen in a process of their own (`lm_core.bounded_work`); here
are only the symbols, and the tokens of the texts that were asked for last.
"""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

import numpy as np

from lm_core.bounded_work import BoundedWorkers
from lm_core.errors import BoundsError, TextError
from lm_core.text.tokenizers.hugging_face import Spelled, Spelling, read_tokenizer_json
from lm_core.text.tokenizers.tokenizer import Token

_KEPT = 32  # texts whose tokens are remembered

_read = lru_cache(maxsize=1)(read_tokenizer_json)


def spelling_of(content: bytes) -> dict[str, Any]:
    """Return what a file says of its symbols, as JSON can say it."""
    spelling = _read(content).spelling
    return asdict(spelling) | {
        "symbol_of": list(spelling.symbol_of.items()),
        "added": sorted(spelling.added),
    }


def tokens_of(content: bytes, text: str) -> list[Token]:
    """Return the tokens of a text by the tokenizer in a file."""
    return _read(content).trace(text)


def text_of(content: bytes, ids: list[int]) -> str:
    """Return the text of some ids by the tokenizer in a file."""
    return _read(content).decode(ids)


class StrangersTokenizer(Spelled):
    """A `lm_core.text.tokenizers.tokenizer.Tokenizer` whose work is bounded; several threads may use it.

    Raises TextError as `read_tokenizer_json`, and BoundsError if reading it takes more than it may.

    Parameters
    ----------
    content : bytes, of a ``tokenizer.json``
    whose : str, who has brought it
    """

    def __init__(self, content: bytes, workers: BoundedWorkers, whose: str = "") -> None:
        self._content, self._workers, self._whose = content, workers, whose
        said = self._call(spelling_of)
        self.spelling = Spelling(
            **said | {"symbol_of": dict(said["symbol_of"]), "added": frozenset(said["added"])}
        )
        self._traced: OrderedDict[str, list[Token] | BoundsError | TextError] = OrderedDict()

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,); raises as `trace` does."""
        return np.array([token.id for token in self.trace(text)], np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids; raises as `trace` does."""
        return str(self._call(text_of, ids=[int(i) for i in ids]))

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers.

        Raises TextError if the file cannot encode this text, and BoundsError if that takes more
        than it may.
        """
        found = self._traced.get(text)
        if found is None:
            found = self._traced[text] = self._trace(text)
            if len(self._traced) > _KEPT:
                self._traced.popitem(last=False)
        if not isinstance(found, list):
            raise found
        return found

    def _trace(self, text: str) -> list[Token] | BoundsError | TextError:
        """Return the tokens, or why there are none: what took too long once is not tried again."""
        try:
            return [Token(*said) for said in self._call(tokens_of, text=text)]
        except (BoundsError, TextError) as error:
            return error

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for, spaces as spaces."""
        return self.spelling.bytes_of(token_id)

    def _call(self, function: Any, **settings: Any) -> Any:
        name = f"{__name__}:{function.__name__}"
        return self._workers.call(name, self._content, self._whose, **settings)
