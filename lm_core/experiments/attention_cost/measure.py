"""What attention costs: time and memory against the length of the text, measured here and now."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional as F
from torch.profiler import ProfilerActivity, profile

from lm_core.errors import SettingError
from lm_core.models.attention import attend, causal_mask
from lm_core.models.efficient_attention import draw_features, kernel_attention, local_attention

METHODS = ("naive matrix", "fused kernel", "local window", "linear kernel")
_MEBIBYTE = 1 << 20


class AttentionCost(NamedTuple):
    """One method at one length.

    Attributes
    ----------
    method : str
        One of `METHODS`.
    length : int
        Tokens, T.
    seconds : float
        Shortest of the rounds, processor time, of a forward pass in float32 on one thread: what else
        the machine does at the time does not count.
    peak_bytes : int
        Most memory held at once beside queries, keys and values.
    error : float
        Mean distance of an output from exact attention's, relative to the mean length of an exact
        output. The local window's is the share of the text that it does not see.
    """

    method: str
    length: int
    seconds: float
    peak_bytes: int
    error: float


def measure_costs(
    lengths: Sequence[int],
    rng: torch.Generator,
    *,
    methods: Sequence[str] = METHODS,
    heads: int = 4,
    width: int = 32,
    window: int = 128,
    n_features: int = 64,
    rounds: int = 3,
    byte_limit: int = 512 * _MEBIBYTE,
    second_limit: float = 1.0,
) -> Iterator[AttentionCost]:
    """Measure causal attention at growing lengths, one record at a time.

    Parameters
    ----------
    lengths : ints, at least 1
        In the order in which they are to be measured, rising.
    rng : torch.Generator
        Draws queries, keys, values (standard normal) and features.
    methods : names from `METHODS`
    heads, width : int
        H and d.
    window, n_features : int
        Of the local window and the linear kernel.
    rounds : int
        Runs of which the shortest counts.
    byte_limit : int
        The naive matrix is left out where it alone would need more.
    second_limit : float
        A method that took longer is not asked for a greater length.

    Raises
    ------
    SettingError
        If a method is unknown or a number is not positive.
    """
    if strangers := sorted(set(methods) - set(METHODS)):
        raise SettingError(f"methods must be among {METHODS}, got {strangers}")
    if rounds < 1 or any(length < 1 for length in lengths):
        raise SettingError(f"rounds and lengths must be at least 1, got {rounds} and {lengths}")
    features = draw_features(width, n_features, rng)
    running = list(methods)
    for length in lengths:
        inputs = torch.randn(3, 1, heads, length, width, generator=rng)
        exact = F.scaled_dot_product_attention(*inputs, is_causal=True)
        for method in list(running):
            naive_bytes = 4 * heads * length**2
            if method == METHODS[0] and naive_bytes > byte_limit:
                running.remove(method)
                continue
            call = _calls(window, features)[method]
            record = _measured(method, call, inputs, exact, rounds)
            yield record
            if record.seconds > second_limit:
                running.remove(method)


def _calls(window: int, features: Tensor) -> dict[str, Callable[..., Tensor]]:
    return {
        "naive matrix": lambda q, k, v: attend(q, k, v, causal_mask(q.shape[-2])).output,
        "fused kernel": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        "local window": lambda q, k, v: local_attention(q, k, v, window),
        "linear kernel": lambda q, k, v: kernel_attention(q, k, v, features),
    }


@torch.inference_mode()
def _measured(
    method: str, call: Callable[..., Tensor], inputs: Tensor, exact: Tensor, rounds: int
) -> AttentionCost:
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watched:
        output = call(*inputs)
    seconds = []
    for _ in range(rounds):
        started = time.thread_time()
        call(*inputs)
        seconds.append(time.thread_time() - started)
    error = (output - exact).norm(dim=-1).mean() / exact.norm(dim=-1).mean()
    peak = _peak_bytes(watched)
    return AttentionCost(method, exact.shape[-2], min(seconds), peak, float(error))


def _peak_bytes(watched: profile) -> int:
    """Return the most that was allocated at once: a running sum over what was taken and given back.

    From the profiler's own record: its summary by operator leaves out what a kernel takes and gives
    back inside, which for the fused kernel is all there is to see.
    """
    record = watched.profiler.kineto_results.events()
    moves = [(event.start_ns(), event.nbytes()) for event in record if event.name() == "[memory]"]
    held = peak = 0
    for _, n_bytes in sorted(moves):
        held += n_bytes
        peak = max(peak, held)
    return peak
