"""The cost of attention: measured record by record, within limits of memory and time."""

import subprocess
import sys

import pytest

from lm_core.errors import SettingError
from lm_core.experiments.attention_cost.measurement import METHODS, LayerSizes, measure_attention
from lm_core.rng import generator


def test_costs_come_one_by_one_and_grow_as_they_should():
    records = measure_attention(
        (256, 512, 1024), generator(0), rounds=1, sizes=LayerSizes(window=32), second_limit=60.0
    )
    assert next(records).method == METHODS[0]
    found = {(record.method, record.length): record for record in records}
    squares = [found["naive matrix", n].peak_bytes for n in (512, 1024)]
    assert squares[1] > 3.9 * squares[0]
    assert squares[0] >= 4 * 4 * 512**2
    for n in (512, 1024):
        assert found["naive matrix", n].error < 1e-5
        assert found["fused kernel", n].error == 0.0
        assert found["local window", n].error > 0.01
        assert all(found[method, n].seconds > 0.0 for method in METHODS)


@pytest.mark.parametrize("method", METHODS[1:])
def test_the_memory_of_other_methods_does_not_grow_with_the_square(method):
    # From 1,024 on the fused kernel works in tiles of one size, for each of torch's threads.
    costs = measure_attention(
        (1024, 2048), generator(0), methods=(method,), rounds=1, sizes=LayerSizes(window=32)
    )
    small, large = (cost.peak_bytes for cost in costs)
    assert 0 < large < 3 * small


def test_what_is_too_large_or_too_slow_is_left_out():
    few = measure_attention((64, 128), generator(0), rounds=1, byte_limit=4 * 4 * 64**2)
    assert [r.length for r in few if r.method == "naive matrix"] == [64]
    slow = measure_attention((64, 128), generator(0), rounds=1, second_limit=0.0)
    assert {r.length for r in slow} == {64}


@pytest.mark.parametrize(
    ("settings", "message"),
    [({"lengths": (8,), "methods": ("magic",)}, "magic"), ({"lengths": (0,)}, "at least 1")],
)
def test_bad_input_is_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        next(measure_attention(rng=generator(0), **settings))


MEASURE = """
import sys
from lm_core.experiments.attention_cost.study import measure_all
next(measure_all(rounds=1))
sys.exit(bool({"sympy", "torch._dynamo"} & set(sys.modules)))
"""


def test_the_first_measurement_of_a_process_imports_no_compiler():
    """Whoever clicks first would pay three seconds of a processor for it, and the server 70 MB."""
    assert subprocess.run([sys.executable, "-c", MEASURE], check=False).returncode == 0
