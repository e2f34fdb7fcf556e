"""Equal words at different positions: which positional encodings let one layer distinguish them."""

import re
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.errors import TextError
from lm_core.models.attention import AttentionTrace, attend
from lm_core.models.positional_encoding.absolute import equal_tokens_differ
from lm_core.models.transformer import T5_BUCKETS, attention_mask, fixed_codes
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

MOST_WORDS, LONGEST_WORD = 12, 20
WIDTH = 16
_ALIBI_HEADS = 8
"""The first of so many heads is used: its bias falls by 1/2 with each position."""
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def split_into_words(sentence: str) -> tuple[str, ...]:
    """Return the words of a sentence in lower case, without spaces and punctuation.

    Raises TextError if there are fewer than 2 words or more than `MOST_WORDS`, or one is longer
    than `LONGEST_WORD`.

    Examples
    --------
    >>> split_into_words("Can a canner can a can?")
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


def word_ids(words: tuple[str, ...]) -> Tensor:
    """Return the ids of words, int64 (T,): equal words have equal ids, counted as they appear."""
    ids = {word: i for i, word in enumerate(dict.fromkeys(words))}
    return torch.tensor([ids[word] for word in words])


@torch.inference_mode()
def attend_to_words(tokens: Tensor, position: str, seed: int, *, is_causal: bool) -> AttentionTrace:
    """Attend to words with one untrained head; each word is a random vector of `WIDTH` numbers.

    The same seed gives the same word vectors and the same head for every positional encoding and every
    order of the words. Learned encodings and T5's biases are random here as well.

    The result: AttentionTrace, without leading axes.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,), T <= `MOST_WORDS`
    position : str, as in `TransformerLanguageModelConfig`
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
    head = _random_head(seed)
    codes = head.learned if position == "learned" else fixed_codes(config)
    x = F.embedding(tokens, head.vectors)
    x = x if codes is None else x + codes[: len(tokens)]
    mask = attention_mask(config, 0, len(tokens), bucket_bias=head.bucket_bias)
    bias = None if mask.bias is None else mask.bias[0]
    queries, keys = mask.rotate(x @ head.to_query, x @ head.to_key)
    return attend(queries, keys, x @ head.to_value, mask.visible, bias=bias)


def word_vectors(tokens: Tensor, seed: int) -> Tensor:
    """Return the vector of each word before any position is added, (T, `WIDTH`)."""
    return F.embedding(tokens, _random_head(seed).vectors)


def less_their_mean(rows: Tensor, tokens: Tensor) -> Tensor:
    """Return rows (T, n) less the mean row of their word, (T, n): what tells equal words apart."""
    is_same = (tokens[:, None] == tokens).to(rows.dtype)
    return rows - is_same @ rows / is_same.sum(1, keepdim=True)


class _RandomHead(NamedTuple):
    """What a seed draws: the weights of a head, and the vectors of words and positions."""

    to_query: Tensor
    to_key: Tensor
    to_value: Tensor
    vectors: Tensor
    learned: Tensor
    bucket_bias: Tensor


def _random_head(seed: int) -> _RandomHead:
    rng = generator(seed)
    to_query, to_key, to_value = torch.randn(3, WIDTH, WIDTH, generator=rng) * WIDTH**-0.5
    vectors = torch.randn(MOST_WORDS, WIDTH, generator=rng)
    learned = torch.randn(MOST_WORDS, WIDTH, generator=rng)
    bucket_bias = torch.randn(T5_BUCKETS, 1, generator=rng)
    return _RandomHead(to_query, to_key, to_value, vectors, learned, bucket_bias)


class WordComparison(NamedTuple):
    """What one positional encoding does to the equal words of a sentence."""

    position: str
    is_causal: bool
    distinguished: tuple[int, ...]
    identical: tuple[int, ...]
    """`distinguished` and `identical`: tokens that occur more than once, by whether their
    outputs differ between all positions."""
    change: float
    """Largest change of any word's output, coordinate by coordinate, after the words are
    shuffled: 0 where order does not matter."""


def compare_equal_words(
    tokens: Tensor, order: Tensor, position: str, seed: int, *, is_causal: bool = False
) -> WordComparison:
    """Compare the outputs of equal words, and the outputs of the words before and after a shuffle.

    Parameters
    ----------
    tokens : int64 Tensor of shape (T,)
    order : int64 Tensor of shape (T,)
        A permutation: position t of the shuffled sentence holds the word of position ``order[t]``.
    position, seed, is_causal
        As for `attend_to_words`.
    """
    outputs = attend_to_words(tokens, position, seed, is_causal=is_causal).output
    shuffled = attend_to_words(tokens[order], position, seed, is_causal=is_causal).output
    differ = equal_tokens_differ(tokens, outputs)
    return WordComparison(
        position,
        is_causal,
        tuple(token for token, differs in differ.items() if differs),
        tuple(token for token, differs in differ.items() if not differs),
        float((shuffled - outputs[order]).abs().max()),
    )
