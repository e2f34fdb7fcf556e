"""What the answers for teachers say of time and memory, held to what is shipped and to a measurement."""

import pytest

from lm_core.experiments.attention_cost.measurement import METHODS, measure_attention
from lm_core.experiments.attention_cost.results import CostResults
from lm_core.rng import generator
from tests.pages.answering import assert_says

PAGE = "attention-cost"
NAIVE, FUSED, LOCAL, LINEAR = METHODS
NOT_COMPUTED = {
    "Measure on this server": "times of a busy machine; tried four times each, alternately with and without a second"
    " process that measures, by the page's own function"
}


@pytest.fixture(scope="module")
def costs():
    return {(cost.method, cost.length): cost for cost in CostResults.load().costs}


def of(costs, method):
    """Return a method's costs by length."""
    return {length: cost for (name, length), cost in costs.items() if name == method}


def test_the_fused_kernel_needs_hardly_any_memory(costs):
    naive, fused = (costs[method, 2048].peak_bytes / 2**20 for method in (NAIVE, FUSED))
    held = f"{fused:.1f} MiB", f"{naive:.0f}"
    assert_says(PAGE, "Draw *memory*", "2,048 tokens", *held)
    peaks = {key: cost.peak_bytes for key, cost in costs.items()}
    assert all(peaks[FUSED, 2 * n] < 2 * peaks[FUSED, n] for n in (1024, 2048, 4096))
    assert all(peaks[NAIVE, 2 * n] > 3.9 * peaks[NAIVE, n] for n in (1024, 2048))
    for length, cost in of(costs, FUSED).items():
        others = [costs[method, length] for method in (LOCAL, LINEAR)]
        assert all(other.peak_bytes > cost.peak_bytes for other in others)
        window, kernel = (other.error for other in others)
        assert (window < 1e-6) == (length <= 128)
        assert kernel > 0.2


def test_short_windows_take_about_the_same_time_and_larger_ones_longer():
    windows, kernels = (
        [
            r.seconds
            for r in sorted(CostResults.load().approximations, key=lambda r: r.size)
            if r.method == method
        ]
        for method in (LOCAL, LINEAR)
    )
    assert max(windows[:4]) < 1.4 * min(windows[:4])
    assert max(windows[:4]) < windows[4] < windows[5]
    assert kernels == sorted(kernels)


def test_the_linear_and_the_local_kernel_save_nothing_on_short_texts(costs):
    for method in (LOCAL, LINEAR):
        assert all(costs[method, n].seconds > costs[FUSED, n].seconds for n in (64, 128, 256))


def test_memory_is_the_same_in_each_measurement():
    first, second = (
        [cost.peak_bytes for cost in measure_attention((64, 128), generator(0), rounds=1)]
        for _ in range(2)
    )
    assert first == second


def test_the_window_overtakes_the_kernel_at_a_thousand_tokens(costs):
    seconds = {key: cost.seconds for key, cost in costs.items()}
    short = (f"{1e3 * seconds[method, 512]:.1f}" for method in (FUSED, LOCAL))
    assert_says(PAGE, "At which length", "at 512 the kernel is faster", " ms to ".join(short))
    middle = {f"about {1e3 * seconds[method, 1024]:.0f} ms" for method in (FUSED, LOCAL)}
    assert_says(PAGE, "At which length", *middle)
    assert seconds[LOCAL, 2048] / seconds[FUSED, 2048] == pytest.approx(0.55, abs=0.05)


def test_the_matrix_of_a_book():
    n_bytes = (3 * 10**6) ** 2 * 4 * 4
    said = f"{n_bytes / 1e14:.2f} · 10¹⁴ bytes", f"{n_bytes / 1e12:.0f} terabytes"
    assert_says(PAGE, "How large would", *said)
