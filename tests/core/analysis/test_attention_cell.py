"""One cell of a map in numbers."""

import math

import pytest
import torch

from lm_core.analysis.attention_cell import attention_cell
from lm_core.errors import SettingError
from lm_core.models.attention import attend
from lm_core.rng import generator


def stages_of(n=5, width=4, value_width=3, **settings):
    rng = generator(3)
    q, k = (torch.randn(n, width, generator=rng) for _ in range(2))
    v = torch.randn(n, value_width, generator=rng)
    return attend(q, k, v, torch.ones(n, n, dtype=torch.bool).tril(), **settings)


@pytest.mark.parametrize("scale", [None, 1.0])
def test_the_numbers_of_a_cell_add_up_to_its_weight(scale):
    stages = stages_of(scale=scale, temperature=0.5)
    cell = attention_cell(stages, 3, 1)
    assert float(cell.products.sum()) == pytest.approx(cell.score, abs=1e-6)
    divisor = (1.0 if scale else math.sqrt(4)) * 0.5
    assert cell.scaled_score == pytest.approx(cell.score / divisor, rel=1e-5)
    assert cell.largest == pytest.approx(float(stages.scaled_scores[3, :4].max()))
    assert cell.exponential == pytest.approx(math.exp(cell.scaled_score - cell.largest), rel=1e-5)
    assert cell.weight == pytest.approx(cell.exponential / cell.total, rel=1e-5)
    parts = [attention_cell(stages, 3, key).weighted_value for key in range(5)]
    torch.testing.assert_close(torch.stack(parts).sum(0), cell.output)


def test_a_key_behind_the_mask_has_a_score_and_no_weight():
    cell = attention_cell(stages_of(), 1, 3)
    assert not cell.is_visible
    assert cell.score != 0.0
    assert (cell.exponential, cell.weight) == (0.0, 0.0)
    assert cell.total >= 1.0


def test_a_query_that_may_attend_to_nothing_has_no_sum():
    q = torch.ones(2, 4)
    cell = attention_cell(attend(q, q, q, torch.zeros(2, 2, dtype=torch.bool)), 0, 0)
    assert (cell.total, cell.weight) == (0.0, 0.0)
    assert cell.largest == -math.inf


@pytest.mark.parametrize(
    ("query", "key", "name"), [(5, 0, "query"), (-1, 0, "query"), (0, 5, "key")]
)
def test_a_cell_that_does_not_exist_is_named(query, key, name):
    with pytest.raises(SettingError, match=f"{name} must lie in \\[0, 4\\]"):
        attention_cell(stages_of(), query, key)
