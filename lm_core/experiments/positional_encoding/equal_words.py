"""Equal words at different places: which ways to say a position let one layer tell them apart."""

import re
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import TextError
from lm_core.models.attention import AttentionTrace, attend
from lm_core.models.positional_encoding.absolute import told_apart
from lm_core.models.transformer import T5_BUCKETS, attention_mask, fixed_codes
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

MOST_WORDS, LONGEST_WORD = 12, 20
WIDTH = 16
_ALIBI_HEADS = 8
"""The first of so many looks at what is near: its scores fall by 1/2 with each place."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def read_words(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence in small letters, without what stands between them.

    Raises
    ------
    TextError
        If there are fewer than 2 words or more than `MOST_WORDS`, or one is longer than
        `LONGEST_WORD`.

    Examples
    --------
    >>> read_words("Can a canner can a can?")
    ('can', 'a', 'canner', 'can', 'a', 'can')
    """
    words = tuple(_WORD.findall(sentence.lower()))
    if not 2 <= len(words) <= MOST_WORDS:
        raise TextError(f"a sentence has 2 to {MOST_WORDS} words here, got {len(words)}")
    if longest := next((word for word in words if len(word) > LONGEST_WORD), None):
        raise TextError(
            f"a word has at most {LONGEST_WORD} letters here, got {longest[:LONGEST_WORD]}…:"
            " shorten it"
        )
    return words


def as_tokens(words: tuple[str, ...]) -> Tensor:
    """Return the ids of words, int64 (T,): equal words have equal ids, counted as they appear."""
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return torch.tensor([ids[word] for word in words])


@torch.inference_mode()
def look_at_words(tokens: Tensor, position: str, seed: int, *, is_causal: bool) -> AttentionTrace:
    """Let one untrained head look at words, each a random vector of `WIDTH` numbers.

    The same seed gives the same words and the same head for every kind of position, and whatever the
    order of the words. Learned codes, and T5's biases, are random here as well.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,), T <= `MOST_WORDS`
    position : str
        As in `TransformerLanguageModelConfig`.
    seed : int
    is_causal : bool

    Returns
    -------
    AttentionTrace
        Without leading axes.
    """
    config = TransformerLanguageModelConfig(
        MOST_WORDS,
        WIDTH,
        heads=_ALIBI_HEADS if position == "alibi" else 1,
        layers=1,
        context=MOST_WORDS,
        position=position,
        causal=is_causal,
    )
    rng = generator(seed)
    to_query, to_key, to_value = torch.randn(3, WIDTH, WIDTH, generator=rng) * WIDTH**-0.5
    vectors = torch.randn(MOST_WORDS, WIDTH, generator=rng)
    learned = torch.randn(MOST_WORDS, WIDTH, generator=rng)
    bucket_bias = torch.randn(T5_BUCKETS, 1, generator=rng)
    codes = learned if position == "learned" else fixed_codes(config)
    x = F.embedding(tokens, vectors)
    x = x if codes is None else x + codes[: len(tokens)]
    mask = attention_mask(config, 0, len(tokens), bucket_bias=bucket_bias)
    bias = None if mask.bias is None else mask.bias[0]
    return attend(*mask.rotate(x @ to_query, x @ to_key), x @ to_value, mask.visible, bias=bias)


class Telling(NamedTuple):
    """What one kind of position does to a sentence.

    Attributes
    ----------
    position : str
    is_causal : bool
    apart, alike : tuple of int
        Tokens that stand more than once, by whether all of their places get different outputs.
    change : float
        Largest change of any word's output, coordinate by coordinate, when the words are shuffled
        and each takes its output along: 0 where order does not matter.
    """

    position: str
    is_causal: bool
    apart: tuple[int, ...]
    alike: tuple[int, ...]
    change: float


def tell(
    tokens: Tensor, order: Tensor, position: str, seed: int, *, is_causal: bool = False
) -> Telling:
    """Say whether equal words are told apart, and whether outputs move along with shuffled words.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,)
    order : int64 Tensor of shape (T,)
        A permutation: place t of the shuffled sentence holds the word of place ``order[t]``.
    position, seed, is_causal
        As for `look_at_words`.
    """
    outputs = look_at_words(tokens, position, seed, is_causal=is_causal).output
    shuffled = look_at_words(tokens[order], position, seed, is_causal=is_causal).output
    answers = told_apart(tokens, outputs)
    return Telling(
        position,
        is_causal,
        tuple(token for token, is_apart in answers.items() if is_apart),
        tuple(token for token, is_apart in answers.items() if not is_apart),
        float((shuffled - outputs[order]).abs().max()),
    )
