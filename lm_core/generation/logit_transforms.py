"""Ways to reshape a prediction before a character is drawn: each a pure function logits -> logits.

All take float logits of shape (..., V), leave the argument untouched and give a blocked token the
logit -inf; a token that is blocked already stays blocked. At its neutral setting each returns its
argument. At least one token always survives, and but for `keep_typical` the most probable is among
them. Where only some of several equally probable tokens can stay, the lower ids do.
"""

import math
from typing import TypeVar

import torch
from torch import Tensor
from torch.nn.functional import pad

from lm_core.generation.sampling_ranges import require_in_range

Number = TypeVar("Number", float, Tensor)

_BLOCKED = -math.inf


def apply_temperature(logits: Tensor, temperature: float) -> Tensor:
    """Sharpen (below 1) or flatten (above 1) the distribution: logits / temperature.

    Raises SettingError if the temperature is out of range.

    The result: float Tensor of shape (..., V).

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    temperature : float, 0 or in [0.001, 1000]
        0 is greedy: only the most probable token is left. 1 changes nothing. Prose is usually
        drawn at 0.6 to 1.0.
    """
    require_in_range("temperature", temperature)
    if temperature == 1.0:
        return logits
    if temperature == 0.0:
        return _keep_only(logits, _ranking(logits)[..., :1])
    return logits / temperature


def keep_top_k(logits: Tensor, k: int) -> Tensor:
    """Keep exactly the k most probable tokens, also where probabilities tie.

    Raises SettingError if k is negative or not whole.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    k : int, at least 0
        0, or V and more, keeps all. Typical: 40 for words, 5 to 10 for characters.

    References
    ----------
    Fan, Lewis & Dauphin 2018, "Hierarchical Neural Story Generation".
    https://arxiv.org/abs/1805.04833
    """
    require_in_range("top_k", k)
    if k == 0 or k >= logits.shape[-1]:
        return logits
    return _keep_only(logits, _ranking(logits)[..., : int(k)])


def keep_top_p(logits: Tensor, p: float) -> Tensor:
    """Keep the smallest set of most probable tokens whose mass reaches p ("nucleus").

    Raises SettingError if p is out of range.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    p : float in (0, 1]
        1 keeps all. Typical: 0.9 to 0.95.

    References
    ----------
    Holtzman et al. 2020, "The Curious Case of Neural Text Degeneration".
    https://arxiv.org/abs/1904.09751
    """
    require_in_range("top_p", p)
    if p == 1.0:
        return logits
    return _keep_mass(logits, _ranking(logits), p)


def keep_min_p(logits: Tensor, p: float) -> Tensor:
    """Keep the tokens at least p times as probable as the most probable one.

    Raises SettingError if p is out of range.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    p : float in [0, 1]
        0 keeps all, 1 only the maximum (and its ties). Typical: 0.05 to 0.1.

    References
    ----------
    Nguyen et al. 2024, "Turning Up the Heat: Min-p Sampling for Creative and Coherent LLM
    Outputs". https://arxiv.org/abs/2407.01082
    """
    require_in_range("min_p", p)
    if p == 0.0:
        return logits
    return _keep_above(logits, logits.amax(-1, keepdim=True) + math.log(p))


def keep_typical(logits: Tensor, p: float) -> Tensor:
    """Keep the tokens whose surprise is closest to the expected one, until their mass reaches p.

    A token's surprise is -ln(probability); the expected one is the entropy. What is far more
    probable than that can be cut as well as what is far less. Raises SettingError if p is out of
    range.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    p : float in (0, 1]
        1 keeps all. The paper uses 0.2 for generations and 0.95 for summaries.

    References
    ----------
    Meister, Pimentel, Wiher & Cotterell 2022, "Locally Typical Sampling".
    https://arxiv.org/abs/2202.00666
    """
    require_in_range("typical_p", p)
    if p == 1.0:
        return logits
    surprise = -torch.log_softmax(logits, -1, dtype=torch.float64)  # (..., V), nats
    entropy = torch.special.entr(surprise.neg().exp()).sum(-1, keepdim=True)  # (..., 1)
    ranking = torch.sort((surprise - entropy).abs(), dim=-1, stable=True).indices
    return _keep_mass(logits, ranking, p)


def keep_top_n_sigma(logits: Tensor, n: float) -> Tensor:
    """Keep the tokens whose logit lies within n standard deviations of the greatest.

    The deviation is taken over the tokens not blocked yet (population form, divided by their
    number). Dividing all logits by a temperature leaves the kept set as it is. Raises SettingError
    if n is out of range.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    n : float, at least 0
        0 is off and keeps all. Typical: 1.0.

    References
    ----------
    Tang et al. 2024, "Top-nσ: Not All Logits Are You Need". https://arxiv.org/abs/2411.07641
    """
    require_in_range("top_n_sigma", n)
    if n == 0.0:
        return logits
    allowed = logits > _BLOCKED
    count = allowed.sum(-1, keepdim=True)
    mean = logits.where(allowed, 0.0).sum(-1, keepdim=True) / count
    variance = (logits - mean).square().where(allowed, 0.0).sum(-1, keepdim=True) / count
    return _keep_above(logits, logits.amax(-1, keepdim=True) - n * variance.sqrt())


def penalise_repetition(logits: Tensor, history: Tensor, penalty: float) -> Tensor:
    """Make tokens that occur in `history` less probable: positive logits / penalty, negative ones * penalty.

    Raises SettingError if the penalty is out of range.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    history : int64 Tensor of shape (T,) or (..., T)
        Tokens written lately: one history for all rows, or one for each. How often a token occurs
        does not matter.
    penalty : float in [0.001, 1000]
        1 changes nothing. The paper uses 1.2 on words; on characters, which must repeat, more
        than 1.1 soon misspells.

    References
    ----------
    Keskar et al. 2019, "CTRL: A Conditional Transformer Language Model for Controllable
    Generation", section 4.1. https://arxiv.org/abs/1909.05858
    """
    require_in_range("repetition_penalty", penalty)
    if penalty == 1.0 or history.shape[-1] == 0:
        return logits
    history = history.expand(*logits.shape[:-1], history.shape[-1])
    seen = logits.gather(-1, history)  # (..., T)
    return logits.scatter(-1, history, torch.where(seen > 0, seen / penalty, seen * penalty))


def keep_mirostat(logits: Tensor, mu: float | Tensor) -> Tensor:
    """Keep the tokens that surprise by at most mu bits; the most probable one in any case.

    Parameters
    ----------
    logits : float Tensor of shape (..., V)
    mu : float or Tensor of shape (...)
        Greatest surprise, -log2(probability), in bits. Start from 2 * tau, then see `next_mu`.

    References
    ----------
    Basu et al. 2021, "Mirostat: A Neural Text Decoding Algorithm that Directly Controls
    Perplexity"; this is its second, simpler version. https://arxiv.org/abs/2007.14966
    """
    log_probabilities = torch.log_softmax(logits, -1)
    greatest = log_probabilities.amax(-1, keepdim=True)
    threshold = torch.as_tensor(mu, dtype=greatest.dtype).unsqueeze(-1) * -math.log(2.0)
    # Of several tokens that tie for the maximum all survive: none is more surprising than another.
    return logits.masked_fill(log_probabilities < threshold.minimum(greatest), _BLOCKED)


def next_mu(mu: Number, surprise_bits: Number, tau: float, rate: float) -> Number:
    """Return mirostat's bound for the next token: mu - rate * (surprise - tau).

    Parameters
    ----------
    mu, surprise_bits : float, or Tensors of one shape
        The bound now, and the surprise of the token just drawn under the model, in bits.
    tau : float
        Surprise aimed at, in bits a token. Typical: 3 to 5 for words, 1 to 2 for characters.
    rate : float in (0, 1]
        Share of the error that is corrected at each step. Typical: 0.1.

    Examples
    --------
    >>> next_mu(4.0, 3.0, tau=2.0, rate=0.1)
    3.9
    """
    return mu - rate * (surprise_bits - tau)


# What they share ------------------------------------------------------------------------------


def _ranking(logits: Tensor) -> Tensor:
    """Ids from the most to the least probable, (..., V); on ties the lower id first."""
    return torch.sort(logits, dim=-1, descending=True, stable=True).indices


def _keep_only(logits: Tensor, ids: Tensor) -> Tensor:
    """Block every token but `ids`, (..., n_kept)."""
    return torch.full_like(logits, _BLOCKED).scatter(-1, ids, logits.gather(-1, ids))


def _keep_above(logits: Tensor, threshold: Tensor) -> Tensor:
    """Block the tokens whose logit lies below `threshold`, (..., 1)."""
    return logits.masked_fill(logits < threshold, _BLOCKED)


def _keep_mass(logits: Tensor, ranking: Tensor, p: float) -> Tensor:
    """Keep the shortest beginning of each ranking whose probabilities sum to p or more."""
    # In float64, or the sum over a large vocabulary may miss p by rounding.
    probabilities = torch.softmax(logits, -1, dtype=torch.float64).gather(-1, ranking)
    before = pad(probabilities.cumsum(-1)[..., :-1], (1, 0))  # mass of what ranks higher
    blocked = torch.zeros_like(logits, dtype=torch.bool).scatter(-1, ranking, before >= p)
    return logits.masked_fill(blocked, _BLOCKED)
