"""What an assistant really reads: messages with roles, written out as one text with special tokens.

A *template* turns messages into a text; a model that was tuned on texts of this form continues after its
end with the reply. A *special token* is one that no text is ever encoded to: it has an id of its own,
so that nobody can type it.

References
----------
Taori et al. 2023, "Stanford Alpaca". https://github.com/tatsu-lab/stanford_alpaca
https://github.com/openai/openai-python/blob/v0.27.0/chatml.md (ChatML)
Touvron et al. 2023, "Llama 2". https://arxiv.org/abs/2307.09288
Raffel et al. 2020, "Exploring the Limits of Transfer Learning" (T5). https://arxiv.org/abs/1910.10683
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import regex

from lm_core.errors import SettingError
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.strings_as_read import StringsAsRead
from lm_core.text.tokenizers.tokenizer import Token


@dataclass(frozen=True)
class Template:
    """A form of a prompt."""

    text: str
    """With ``{system}`` and ``{user}`` where the messages go."""
    special_tokens: tuple[str, ...] = ()
    """Which parts of it are one token to a model that was tuned on it."""

    def render(self, user: str, system: str = "") -> str:
        """Return the text that a model reads.

        Parameters
        ----------
        user : str, the question
        system : str, how the assistant is to behave; templates without a place for it leave it out
        """
        return self.text.format(system=system, user=user)


PLAIN, T5, ALPACA, CHATML, LLAMA_2, LLAMA_3 = (
    "Question alone",
    "T5's prefix",
    "Alpaca",
    "ChatML",
    "Llama 2",
    "Llama 3",
)
TEMPLATES = {
    PLAIN: Template("{user}"),
    T5: Template("translate English to German: {user}"),
    ALPACA: Template(
        "Below is an instruction that describes a task. Write a response that appropriately completes"
        " the request.\n\n### Instruction:\n{user}\n\n### Response:"
    ),
    CHATML: Template(
        "<|im_start|>system\n{system}<|im_end|>\n<|im_start|>user\n{user}<|im_end|>\n"
        "<|im_start|>assistant\n",
        ("<|im_start|>", "<|im_end|>"),
    ),
    LLAMA_2: Template("<s>[INST] <<SYS>>\n{system}\n<</SYS>>\n\n{user} [/INST]", ("<s>",)),
    LLAMA_3: Template(
        "<|begin_of_text|><|start_header_id|>system<|end_header_id|>\n\n{system}<|eot_id|>"
        "<|start_header_id|>user<|end_header_id|>\n\n{user}<|eot_id|>"
        "<|start_header_id|>assistant<|end_header_id|>\n\n",
        ("<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|eot_id|>"),
    ),
}
"""By name, as their authors published them."""


class _Joined(StringsAsRead):
    """Two sequences one after the other, neither of them copied: the first may be large, and is seldom read."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        self._first, self._second = first, second

    def __len__(self) -> int:
        return len(self._first) + len(self._second)

    def read(self, place: int) -> str:
        """Return one of them."""
        n = len(self._first)
        return self._first[place] if place < n else self._second[place - n]


@dataclass(frozen=True)
class TokenizerWithSpecials:
    """A tokenizer that knows more special tokens, wherever a text spells them.

    Raises SettingError if one is empty, or appears twice.
    """

    base: BytePairTokenizer
    added: tuple[str, ...]
    """Their ids follow on those of the base."""

    def __post_init__(self) -> None:
        if not all(self.added) or len(set(self.added)) < len(self.added):
            raise SettingError(f"special tokens must be different texts, got {self.added}")

    @property
    def symbols(self) -> Sequence[str]:
        """Spelling of each id."""
        return _Joined(self.base.symbols, self.added)

    @property
    def unknown(self) -> str | None:
        """The base's symbol for what it does not hold."""
        return self.base.unknown

    def trace(self, text: str) -> list[Token]:
        """Return the tokens of a text with the characters that each one covers."""
        tokens: list[Token] = []
        start = 0
        for part in self._split(text):
            if part in self.added:
                token_id = len(self.base.symbols) + self.added.index(part)
                tokens.append(Token(token_id, part, start, start + len(part)))
            else:
                tokens += [
                    Token(i, symbol, start + first, start + end)
                    for i, symbol, first, end in self.base.trace(part)
                ]
            start += len(part)
        return tokens

    def encode(self, text: str) -> np.ndarray:
        """Return the ids of a text, int64 of shape (number of tokens,)."""
        return np.array([token.id for token in self.trace(text)], np.int64)

    def decode(self, ids: Sequence[int] | np.ndarray) -> str:
        """Return the text of some ids."""
        return b"".join(self.bytes_of(int(i)) for i in ids).decode("utf-8", "replace")

    def bytes_of(self, token_id: int) -> bytes:
        """Return the bytes that a token stands for."""
        n = len(self.base.symbols)
        return self.base.bytes_of(token_id) if token_id < n else self.added[token_id - n].encode()

    def _split(self, text: str) -> list[str]:
        """Return the special tokens of a text and what lies between them."""
        if not self.added:
            return [text]
        anyone = "|".join(map(regex.escape, sorted(self.added, key=len, reverse=True)))
        return [part for part in regex.split(f"({anyone})", text) if part]
