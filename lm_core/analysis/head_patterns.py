"""Head patterns: the share of a head's attention that goes to targets one can name.

Each pattern has, for some tokens of a text, earlier tokens as its targets. A head's score is the mean
weight that it gives to these targets, over the tokens that have any. Two controls are beside it: what
uniform attention would give, because a pattern with many targets gets much by chance; and what the
same head gives to the targets of other tokens, as far back as they are from those, because a head that
looks a few tokens back, whatever is there, finds many targets too.

References
----------
Clark et al. 2019, "What Does BERT Look At?" https://arxiv.org/abs/1906.04341
Olsson et al. 2022, "In-context Learning and Induction Heads". https://arxiv.org/abs/2209.11895
"""

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from lm_core.errors import ShapeError
from lm_core.rng import generator

MEN = frozenset(
    (
        "Alexander Alpatych Anatole Andrew Bagration Berg Bilibin Bolkonski Boris Davout Denisov "
        "Dolokhov Ilya Karataev Kutuzov Murat Napoleon Nicholas Petya Pierre Platon Rostopchin "
        "Rostov Speranski Tikhon Vasili"
    ).split()
)
WOMEN = frozenset(
    ["Anna", "Bourienne", "Helene", "Julie", "Lise", "Mary", "Marya", "Natasha", "Sonya", "Vera"]
)
PRONOUNS = {
    **dict.fromkeys(("he", "him", "his", "himself"), MEN),
    **dict.fromkeys(("she", "her", "hers", "herself"), WOMEN),
}
"""The names that a pronoun can stand for, in War and Peace."""

_END_OF_SENTENCE = re.compile(r"[.!?][\"')]*\s*$|\n")


class HeadPattern(NamedTuple):
    """How much of a head's attention follows one pattern.

    `shuffled_share` is the mean weight on the targets of other tokens, as far back as they are from those;
    for patterns of position alone, on random keys, which is `uniform_share`. It is None where a single
    token has targets.
    """

    layer: int
    head: int
    pattern: str  # one of `PATTERNS`
    share: float  # 0 to 1: mean weight on the pattern's targets
    shuffled_share: float | None
    uniform_share: float  # what uniform attention to all visible tokens would give
    n_tokens: int  # for which the pattern has a target

    @property
    def excess(self) -> float:
        """By how much the share exceeds the larger of its controls."""
        return self.share - max(self.uniform_share, self.shuffled_share or 0.0)


# Targets --------------------------------------------------------------------------------------


def pattern_targets(symbols: Sequence[str]) -> dict[str, Tensor]:
    """Return the targets of each pattern, bool (T, T): queries down, keys across, never ahead.

    `symbols`: sequence of T str, the text of each token: characters or subwords.
    """
    return {pattern: targets(symbols) for pattern, targets in _TARGETS.items()}


def _at(n: int, keys: Sequence[int]) -> Tensor:
    """Return the mask with one target for each query; -1 for none."""
    return torch.arange(n) == torch.tensor(keys)[:, None]


def _itself(symbols: Sequence[str]) -> Tensor:
    return _at(len(symbols), range(len(symbols)))


def _previous(symbols: Sequence[str]) -> Tensor:
    return _at(len(symbols), range(-1, len(symbols) - 1))


def _first(symbols: Sequence[str]) -> Tensor:
    return _at(len(symbols), [-1] + [0] * (len(symbols) - 1))


def _word_starts(symbols: Sequence[str]) -> list[int]:
    """Return where the word of each token starts; -1 for a token that is in no word."""
    starts: list[int] = []
    for i, symbol in enumerate(symbols):
        is_word = any(map(str.isalnum, symbol))
        goes_on = i > 0 and symbols[i - 1][-1:].isalnum() and symbol[:1].isalnum()
        starts.append((starts[-1] if goes_on else i) if is_word else -1)
    return starts


def _start_of_word(symbols: Sequence[str]) -> Tensor:
    return _at(len(symbols), _word_starts(symbols))


def _before_word(symbols: Sequence[str]) -> Tensor:
    return _at(len(symbols), [max(-1, start - 1) for start in _word_starts(symbols)])


def _start_of_sentence(symbols: Sequence[str]) -> Tensor:
    """Let the tokens of a sentence attend to its first word or number."""
    starts, start = [], -1
    is_within = False
    for i, symbol in enumerate(symbols):
        if not is_within and any(map(str.isalnum, symbol)):
            start, is_within = i, True
        starts.append(start if is_within and i > start else -1)
        is_within = is_within and not _END_OF_SENTENCE.search(symbol)
    return _at(len(symbols), starts)


def _same(symbols: Sequence[str]) -> Tensor:
    numbers = {symbol: i for i, symbol in enumerate(dict.fromkeys(symbols))}
    tokens = torch.tensor([numbers[symbol] for symbol in symbols])
    return (tokens[:, None] == tokens).tril(-1)


def _after_same(symbols: Sequence[str]) -> Tensor:
    return _shifted(_same(symbols))


def _after_same_two(symbols: Sequence[str]) -> Tensor:
    same = _same(symbols)
    pairs = torch.zeros_like(same)
    pairs[1:, 1:] = same[1:, 1:] & same[:-1, :-1]
    return _shifted(pairs)


def _shifted(matches: Tensor) -> Tensor:
    """Return the keys after the matches, which are behind the query."""
    after = torch.zeros_like(matches)
    after[:, 1:] = matches[:, :-1]
    return after.tril(-1)


def _names(symbols: Sequence[str]) -> Tensor:
    """Let pronouns attend to all tokens of the names before them that they can stand for."""
    words: dict[int, str] = defaultdict(str)
    starts = _word_starts(symbols)
    for start, symbol in zip(starts, symbols, strict=True):
        words[start] += symbol
    spelled = [words[start].strip() if start >= 0 else "" for start in starts]
    targets = torch.zeros(len(symbols), len(symbols), dtype=torch.bool)
    for i, word in enumerate(spelled):
        if names := PRONOUNS.get(word.lower()):
            targets[i] = torch.tensor([other in names for other in spelled])
    return targets.tril(-1)


def _opening_quote(symbols: Sequence[str]) -> Tensor:
    """Let a quotation mark that closes attend to the one that opened, if none closed in between.

    A mark opens at the start of the text and after white space, and closes elsewhere.
    """
    targets, opened = [], -1
    for i, symbol in enumerate(symbols):
        target = -1
        for place in (match.start() for match in re.finditer('"', symbol)):
            preceding = ("".join(symbols[:i]) + symbol[:place])[-1:]
            if preceding in " \n(":  # or nothing
                opened = i
            else:
                target, opened = opened if opened < i else -1, -1
        targets.append(target)
    return _at(len(symbols), targets)


_BY_POSITION = ("itself", "previous token")
INDUCTION = "token after the same token"
_TARGETS: dict[str, Callable[[Sequence[str]], Tensor]] = {
    "itself": _itself,
    "previous token": _previous,
    "first token": _first,
    "start of the word": _start_of_word,
    "end of the word before": _before_word,
    "start of the sentence": _start_of_sentence,
    "same token earlier": _same,
    INDUCTION: _after_same,
    "token after the same two tokens": _after_same_two,
    "name of a pronoun": _names,
    "opening quote": _opening_quote,
}
PATTERNS = tuple(_TARGETS)


# Scores ---------------------------------------------------------------------------------------


def weight_on(weights: Tensor, targets: Tensor) -> Tensor:
    """Return the weight on the targets of each token that has some, (..., n) of weights (..., T, T)."""
    return (weights * targets).sum(-1)[..., targets.any(-1)]


def shuffled_targets(targets: Tensor, rng: torch.Generator) -> Tensor:
    """Give each token with targets those of another one, as far back as they are from that one.

    Targets that would lie before the text are left out.
    """
    steps = torch.arange(len(targets))
    back = steps[:, None] - steps  # key of a distance, and distance of a key
    by_distance = targets.gather(1, back.clamp_min(0)).tril()
    rows = targets.any(-1).nonzero().flatten()
    rows = rows[torch.randperm(len(rows), generator=rng)]
    by_distance[rows] = by_distance[rows.roll(1)]
    return by_distance.gather(1, back.clamp_min(0)).tril()


def find_head_patterns(texts: Iterable[tuple[Tensor, Sequence[str]]]) -> list[HeadPattern]:
    """Score every head of every layer by every pattern that has targets.

    Raises ShapeError if weights are not of their tokens.

    The result: list of HeadPattern, the clearest first: those whose share is furthest above its controls.

    Parameters
    ----------
    texts : iterable of (Tensor of shape (layers, H, T, T), sequence of T str)
        The weights of a causal model, as in `TransformerTrace.weights`, and the text of each token;
        better some thousands of tokens in all.
    """
    rng = generator(0)
    shares: dict[str, list[Tensor]] = defaultdict(list)
    shuffled: dict[str, list[Tensor]] = defaultdict(list)
    uniform: dict[str, list[Tensor]] = defaultdict(list)
    for weights, symbols in texts:
        if list(weights.shape[-2:]) != [len(symbols)] * 2:
            raise ShapeError(
                f"weights must be of {len(symbols)} tokens, got {tuple(weights.shape)}"
            )
        even = torch.ones(len(symbols), len(symbols)).tril()
        even = even / even.sum(-1, keepdim=True)
        for pattern, targets in pattern_targets(symbols).items():
            shares[pattern].append(weight_on(weights, targets))
            uniform[pattern].append(weight_on(even, targets))
            if pattern not in _BY_POSITION and targets.any(-1).sum() > 1:
                shuffled[pattern].append(weight_on(weights, shuffled_targets(targets, rng)))
    found: list[HeadPattern] = []
    for pattern, parts in shares.items():
        by_token = torch.cat(parts, -1)  # (layers, H, n)
        if by_token.shape[-1]:
            chance = float(torch.cat(uniform[pattern]).mean())
            control = torch.cat(shuffled[pattern], -1) if shuffled[pattern] else None
            found += _of_heads(pattern, by_token, control, chance)
    return sorted(found, key=lambda found: -found.excess)


def _of_heads(
    pattern: str, by_token: Tensor, control: Tensor | None, chance: float
) -> Iterable[HeadPattern]:
    """Return one pattern's record of each head, from its weights on the targets (layers, H, n)."""
    shares = by_token.mean(-1).tolist()
    shuffled: list[list[float | None]] = [
        [chance if pattern in _BY_POSITION else None] * len(row) for row in shares
    ]
    if control is not None and control.shape[-1]:
        shuffled = control.mean(-1).tolist()
    for layer, rows in enumerate(zip(shares, shuffled, strict=True)):
        for head, (share, by_chance) in enumerate(zip(*rows, strict=True)):
            yield HeadPattern(layer, head, pattern, share, by_chance, chance, by_token.shape[-1])
