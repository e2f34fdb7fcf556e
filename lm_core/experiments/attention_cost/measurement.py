"""What attention costs, measured here and now: time and memory by the length of the text.

Times are processor time of this thread: what else the machine does meanwhile does not count.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import torch
from torch import Tensor

# Not torch.profiler's: at its first use it imports sympy, three seconds of a processor at somebody's click.
from torch.autograd.profiler import profile
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.models.attention import attend, causal_mask
from lm_core.models.efficient_attention import draw_features, kernel_attention, local_attention
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig

METHODS = ("naive matrix", "fused kernel", "local window", "linear kernel")
_MEBIBYTE = 1 << 20


class LayerSizes(NamedTuple):
    """Of an attention layer and its approximations."""

    heads: int = 4
    width: int = 32
    """Of a head, d."""
    window: int = 128
    """Tokens that the local window sees."""
    n_features: int = 64
    """Of the linear kernel."""


DEFAULT_SIZES = LayerSizes()


class AttentionCost(NamedTuple):
    """One method at one length."""

    method: str
    """One of `METHODS`."""
    length: int
    """Tokens, T."""
    seconds: float
    """Shortest of the rounds, processor time of a forward pass in float32 on one thread."""
    peak_bytes: int
    """Most memory held at once beside queries, keys and values."""
    error: float
    """Mean distance of an output from exact attention's, relative to the mean length of an exact
    output. For the local window, this comes from the tokens outside the window."""


class GenerationCost(NamedTuple):
    """One more character after a text of some length."""

    length: int
    """Characters of the text, T."""
    cached_seconds: float
    uncached_seconds: float
    """`cached_seconds` and `uncached_seconds`: shortest of the rounds, processor time: to read
    the last character with the keys and values of the others in the cache, and to read the
    whole text without a cache."""
    cache_bytes: int
    """Size of the cache: keys and values of the T - 1 characters before, in all layers."""


def measure_attention(
    lengths: Sequence[int],
    rng: torch.Generator,
    *,
    methods: Sequence[str] = METHODS,
    sizes: LayerSizes = DEFAULT_SIZES,
    rounds: int = 3,
    byte_limit: int = 512 * _MEBIBYTE,
    second_limit: float = 1.0,
) -> Iterator[AttentionCost]:
    """Measure causal attention at growing lengths, one record at a time.

    Raises SettingError if a method is unknown or a number is not positive.

    Parameters
    ----------
    lengths : ints, at least 1, in the order in which they are to be measured, rising
    rng : torch.Generator, draws queries, keys, values (standard normal) and features
    methods : names from `METHODS`
    rounds : int, runs of which the shortest counts
    byte_limit : int, the naive matrix is omitted where it alone would need more
    second_limit : float, a method that took longer is not measured at greater lengths
    """
    if strangers := sorted(set(methods) - set(METHODS)):
        raise SettingError(f"methods must be among {METHODS}, got {strangers}")
    if rounds < 1 or any(length < 1 for length in lengths):
        raise SettingError(f"rounds and lengths must be at least 1, got {rounds} and {lengths}")
    features = draw_features(sizes.width, sizes.n_features, rng)
    running = list(methods)
    for length in lengths:
        inputs = torch.randn(3, 1, sizes.heads, length, sizes.width, generator=rng)
        queries, keys, values = inputs
        exact = F.scaled_dot_product_attention(queries, keys, values, is_causal=True)
        for method in list(running):
            naive_bytes = 4 * sizes.heads * length**2
            if method == METHODS[0] and naive_bytes > byte_limit:
                running.remove(method)
                continue
            call = _calls(sizes.window, features)[method]
            record = _attention_cost(method, call, inputs, exact, rounds)
            yield record
            if record.seconds > second_limit:
                running.remove(method)


def measure_generation(
    config: TransformerLanguageModelConfig,
    lengths: Sequence[int],
    rng: torch.Generator,
    *,
    rounds: int = 3,
) -> Iterator[GenerationCost]:
    """Measure one more character after texts of these lengths, one record at a time.

    Raises SettingError if a number is too small.

    Parameters
    ----------
    config : TransformerLanguageModelConfig
        Of the model; its context is set to each length. Its weights do not affect the time.
    lengths : ints, at least 2
    rng : torch.Generator, draws weights and texts
    rounds : int, runs of which the shortest counts
    """
    if rounds < 1 or any(length < 2 for length in lengths):
        raise SettingError(
            f"rounds must be at least 1 and lengths at least 2, got {rounds} and {lengths}"
        )
    for length in lengths:
        model = TransformerLanguageModel(replace(config, context=length)).eval()
        model.initialise(rng)
        yield _generation_cost(model, length, rng, rounds)


def _calls(window: int, features: Tensor) -> dict[str, Callable[..., Tensor]]:
    return {
        "naive matrix": lambda q, k, v: attend(q, k, v, causal_mask(q.shape[-2])).output,
        "fused kernel": lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True),
        "local window": lambda q, k, v: local_attention(q, k, v, window),
        "linear kernel": lambda q, k, v: kernel_attention(q, k, v, features),
    }


@torch.inference_mode()
def _attention_cost(
    method: str, call: Callable[..., Tensor], inputs: Tensor, exact: Tensor, rounds: int
) -> AttentionCost:
    with profile(profile_memory=True) as watched:
        output = call(*inputs)
    seconds = _shortest(lambda: call(*inputs), rounds)
    error = (output - exact).norm(dim=-1).mean() / exact.norm(dim=-1).mean()
    return AttentionCost(method, exact.shape[-2], seconds, _peak_bytes(watched), float(error))


@torch.inference_mode()
def _generation_cost(
    model: TransformerLanguageModel, length: int, rng: torch.Generator, rounds: int
) -> GenerationCost:
    tokens = torch.randint(0, model.vocabulary_size, (1, length), generator=rng)
    empty = model.initial_state(1)
    _, state = model(tokens[:, :-1], empty)

    def cached() -> object:
        return model(tokens[:, -1:], state)

    def uncached() -> object:
        return model(tokens, empty)

    cached(), uncached()  # the first call of each is slower, and does not count
    n_bytes = sum(tensor.nbytes for tensor in state)
    return GenerationCost(length, _shortest(cached, rounds), _shortest(uncached, rounds), n_bytes)


def _shortest(call: Callable[[], object], rounds: int) -> float:
    """Return the shortest processor time of a call, in seconds."""
    seconds = []
    for _ in range(rounds):
        started = time.thread_time()
        call()
        seconds.append(time.thread_time() - started)
    return min(seconds)


def _peak_bytes(watched: profile) -> int:
    """Return the most that was allocated at once: a running sum over allocations and releases.

    From the profiler's own record: its summary by operator omits what a kernel allocates and
    releases inside, which is all that the fused kernel does.
    """
    events: Any = watched.kineto_results.events()  # type: ignore[union-attr]
    moves = [(event.start_ns(), event.nbytes()) for event in events if event.name() == "[memory]"]
    held = peak = 0
    for _, n_bytes in sorted(moves):
        held += n_bytes
        peak = max(peak, held)
    return peak
