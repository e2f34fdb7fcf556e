"""What trained models expect at each position of a text, for a smaller one to learn from.

Several teachers expect the mean of what each of them does, which is better than any of them. A teacher
of subwords can teach a pupil of characters: what it expects of a subword, it expects of
the characters that spell it.

References
----------
Hinton, Vinyals & Dean 2015, "Distilling the Knowledge in a Neural Network", here at temperature 1.
https://arxiv.org/abs/1503.02531
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from lm_core.models.language_model import LanguageModel

_WINDOW = 128
_LEAD = 256  # tokens that each row reads first, so that it does not begin cold
_ROWS = 65_536  # predictions that are taken apart at a time
_LEAST = 1e-7  # float16 has 0 for what a teacher holds nearly impossible, though it came


@dataclass(frozen=True)
class LikeliestTokens:
    """What is expected to follow each token of a text: the tokens that are likeliest there.

    Of a few thousand tokens a few hundred have nearly all the probability; the others would take
    ten times the memory.
    """

    ids: Tensor
    """int16, of shape (N, k)."""
    probabilities: Tensor
    """float16, of shape (N, k). Each row adds up to 1."""
    vocabulary_size: int
    """V."""

    def __call__(self, positions: Tensor) -> Tensor:
        """Return the probabilities of all tokens, float of shape (..., V), at positions (...)."""
        found = self.probabilities[positions].float()
        rows = found.new_zeros(*positions.shape, self.vocabulary_size)
        return rows.scatter_(-1, self.ids[positions].long(), found)


@torch.no_grad()
def likeliest_expectations(
    teachers: Sequence[LanguageModel],
    tokens: Tensor,
    *,
    most: int = 256,
    batch: int = 64,
    dtype: torch.dtype = torch.bfloat16,
) -> LikeliestTokens:
    """Return what models of one vocabulary expect on average after each token of a text.

    The result: LikeliestTokens, on the teachers' device.

    Parameters
    ----------
    teachers, tokens, batch, dtype
        See `expectations`.
    most : int, k, tokens that are kept at each position
    """
    vocabulary_size = teachers[0].vocabulary_size
    most = min(most, vocabulary_size)
    tokens = tokens.to(_device_of(teachers[0]))
    ids = torch.empty(len(tokens), most, dtype=torch.int16, device=tokens.device)
    kept = torch.empty(len(tokens), most, dtype=torch.float16, device=tokens.device)
    readings = [_read(teacher, tokens, batch, dtype) for teacher in teachers]
    for parts in zip(*readings, strict=True):
        positions = parts[0][0]
        mean = torch.stack([probabilities for _, probabilities in parts]).mean(0)
        likeliest = mean.topk(most)
        ids[positions] = likeliest.indices.short()
        kept[positions] = (likeliest.values / likeliest.values.sum(-1, keepdim=True)).half()
    return LikeliestTokens(ids, kept, vocabulary_size)


@torch.no_grad()
def expectations(
    teacher: LanguageModel, tokens: Tensor, *, batch: int = 64, dtype: torch.dtype = torch.bfloat16
) -> Tensor:
    """Return the probabilities that a model gives to what follows each token of a text.

    Parameters
    ----------
    teacher : LanguageModel, reads with dropout off
    tokens : int64 Tensor of shape (N,)
    batch : int
        Parts of the text that are read side by side; each begins with the end of the part before
        it, so only the beginning of the text is read cold.
    dtype : torch.dtype, arithmetic of the products

    Returns
    -------
    float16 Tensor of shape (N, V)
        Row i is the prediction of the token after ``tokens[i]``, from all that was read until then.
    """
    tokens = tokens.to(_device_of(teacher))
    expected = torch.empty(len(tokens), teacher.vocabulary_size, dtype=torch.float16)
    for positions, probabilities in _read(teacher, tokens, batch, dtype):
        expected[positions.cpu()] = probabilities.half().cpu()
    return expected


def _device_of(model: LanguageModel) -> torch.device:
    first = next(iter(model.parameters()), None)
    return torch.device("cpu") if first is None else first.device


def _read(
    teacher: LanguageModel, tokens: Tensor, batch: int, dtype: torch.dtype
) -> Iterator[tuple[Tensor, Tensor]]:
    """Read a text in parallel parts; yield positions (M,) and the predictions there, (M, V)."""
    teacher.eval()
    device = tokens.device
    size = -(-len(tokens) // batch)
    starts = torch.arange(0, len(tokens), size, device=device)
    state = teacher.initial_state(len(starts))
    for first in range(-_LEAD, size, _WINDOW):
        last = min(first + _WINDOW, size)
        positions = starts[:, None] + torch.arange(first, last, device=device)
        # Before the text its beginning is repeated, after it its end: neither is kept.
        read = tokens[positions.clamp(0, len(tokens) - 1)]
        with torch.autocast(device.type, dtype, enabled=dtype != torch.float32):
            logits, state = teacher(read, state)
        if first >= 0:
            inside = positions < len(tokens)
            yield positions[inside], logits[inside].float().softmax(dim=-1)


def expectations_by_character(
    expected: Tensor, subwords: Tensor, pieces: Sequence[str], characters: Sequence[str]
) -> Tensor:
    """Return the probabilities of the next character that follow from those of the next subword.

    Inside a subword, the subwords that begin as it does vote with their probabilities. That the
    subword before has ended, and the present one has not, is taken as known: a pupil who learns
    many such rows learns their mean, which no longer knows it.

    Parameters
    ----------
    expected : float Tensor of shape (M, V)
        Row j is the prediction of the subword after ``subwords[j]``: `expectations`.
    subwords : int64 Tensor of shape (M,), M >= 1, a text
    pieces : sequence of V str
        What each subword spells. Those that the characters cannot spell are never expected.
    characters : sequence of C str, the pupil's symbols

    Returns
    -------
    float16 Tensor of shape (N, C)
        Row i is the prediction of the character after the i-th of the text's N characters. Of the
        first subword nobody expects anything: its rows give all to the character that came.
    """
    index = {character: i for i, character in enumerate(characters)}
    spelled = {v: piece for v, piece in enumerate(pieces) if all(c in index for c in piece)}
    text = torch.tensor([index[c] for v in subwords.tolist() for c in pieces[v]])
    following = text.roll(-1)
    lengths = torch.tensor([len(piece) for piece in pieces])[subwords]
    begins = torch.cat([lengths.new_zeros(1), lengths.cumsum(0)])
    by_character = torch.zeros(len(text), len(characters), dtype=torch.float16)
    first = text[1 : len(pieces[int(subwords[0])])]
    by_character[torch.arange(len(first)), first] = 1.0
    for start in {piece[:k] for piece in spelled.values() for k in range(len(piece))}:
        longer = [v for v, piece in spelled.items() if piece.startswith(start) and piece != start]
        continued = torch.tensor([index[pieces[v][len(start)]] for v in longer])
        candidates = torch.tensor(longer)
        # Nothing has been read of the subword after the last one either.
        begun = (
            torch.isin(subwords, candidates).nonzero()[:, 0] if start else torch.arange(len(begins))
        )
        for rows in begun[begun > 0].split(_ROWS):
            positions = begins[rows] + len(start) - 1
            votes = expected[rows[:, None] - 1, candidates].float()
            found = votes.new_zeros(len(rows), len(characters)).index_add_(1, continued, votes)
            found.scatter_add_(
                1, following[positions, None], votes.new_full((len(rows), 1), _LEAST)
            )
            by_character[positions] = (found / found.sum(1, keepdim=True)).half()
    return by_character
