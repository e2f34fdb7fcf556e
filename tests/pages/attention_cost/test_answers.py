"""What the answers for teachers say of costs, held to what was measured."""

import pytest

from lm_core.experiments.attention_cost.results import CostResults
from tests.pages.answering import assert_says

PAGE = "attention-cost"
COSTS = {(cost.method, cost.length): cost for cost in CostResults.load().costs}
LENGTHS = sorted({length for _, length in COSTS})
KERNEL, WINDOW = "fused kernel", "local window"


def test_the_kernel_needs_hardly_any_memory_and_is_exact():
    longest = {method: cost for (method, length), cost in COSTS.items() if length == 2_048}
    least = min(longest, key=lambda method: longest[method].peak_bytes)
    assert least == KERNEL
    assert longest[KERNEL].error < 1e-6
    assert longest["naive matrix"].peak_bytes > 100 * longest[KERNEL].peak_bytes


def test_where_the_window_becomes_faster():
    ratios = {n: COSTS[WINDOW, n].seconds / COSTS[KERNEL, n].seconds for n in LENGTHS}
    faster = next(n for n in LENGTHS if ratios[n] < 1)
    assert faster == pytest.approx(1_000, rel=0.05)
    assert all(ratios[n] > 1 for n in LENGTHS if n < faster)
    assert_says(
        PAGE, "At which length", "about 1,000 tokens", f"{2 * faster:,}", "half of its time"
    )
    assert 0.5 < ratios[2 * faster] < 0.6


def test_the_score_matrix_of_a_book():
    n_bytes = 3_000_000**2 * 4 * 4
    assert_says(PAGE, "How large would", "1.44 · 10¹⁴ bytes", f"{n_bytes / 1e12:.0f} terabytes")
    assert n_bytes == 1.44e14
