"""How well a masked language model expects a text: each word covered in turn, and predicted from the rest.

The sum of the logarithms is the *pseudo*-log-likelihood: no product of conditional probabilities that
see both sides is the probability of the text. Tokens of one word are predicted from left to right,
the later ones covered too: otherwise the end of a long word gives its beginning away.

References
----------
Besag 1975, "Statistical Analysis of Non-Lattice Data" (pseudo-likelihood).
Salazar et al. 2020, "Masked Language Model Scoring". https://arxiv.org/abs/1910.14659
Kauf & Ivanova 2023, "A Better Way to Do Masked Language Model Scoring" (within a word from left
to right). https://arxiv.org/abs/2305.10588
"""

from collections.abc import Sequence

import torch
from torch import Tensor

from lm_core.models.masked_language_model import MaskedLanguageModel, gap_probabilities

_ROWS = 16  # texts a call: what one visitor computes at a time


def pseudo_log_likelihoods(
    model: MaskedLanguageModel, tokens: Tensor, words: Sequence[range]
) -> Tensor:
    """Return the logarithm of each token's probability, from all words but its own and the word's beginning.

    The result: float32 Tensor of shape (tokens of all words,), nats, at most 0, in the order of the words.

    Parameters
    ----------
    model : MaskedLanguageModel, in evaluation mode
    tokens : int64 Tensor of shape (N,)
    words : sequence of range, places of each word's tokens
    """
    places = [place for word in words for place in word]
    stops = [word.stop for word in words for _ in word]
    rows = tokens.repeat(len(places), 1)  # one text for each token
    for row, place, stop in zip(rows, places, stops, strict=True):
        row[place:stop] = model.config.mask_id
    found = []
    for start in range(0, len(places), _ROWS):
        part = slice(start, start + _ROWS)
        here = torch.tensor(places[part])
        expected = gap_probabilities(model, rows[part], here[:, None])[:, 0]
        found.append(expected.gather(1, tokens[here][:, None])[:, 0].log())
    return torch.cat(found) if found else torch.empty(0)


def by_word(values: Tensor, words: Sequence[range]) -> list[float]:
    """Return the sum over each word's tokens, of values (tokens of all words,)."""
    return [float(part.sum()) for part in values.split([len(word) for word in words])]
