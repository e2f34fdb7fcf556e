"""A number that is worked out by hand is the model's own, at every stage."""

import math

import pytest
import torch
from torch.nn import functional as F

from lm_core.analysis.residual_stream import trace
from lm_core.analysis.worked_number import GELU, LOOKED_UP, NORM, product, worked_number
from lm_core.errors import SettingError
from tests.core.analysis.test_residual_stream import GPT_2, TEXT, awake
from tests.core.models.test_transformer import MODERN


@pytest.mark.parametrize("part", MODERN)
def test_parts_that_are_not_written_out_are_refused(part):
    model = awake(**{part: MODERN[part]})
    found = trace(model, TEXT)
    with pytest.raises(SettingError, match="choose a model without these"):
        worked_number(model, found, next(iter(found.values)), 4)


@pytest.mark.parametrize("settings", [{}, GPT_2])
@pytest.mark.parametrize("most", [2, 100])
def test_what_is_written_out_gives_the_number(settings, most):
    model = awake(**settings)
    found = trace(model, TEXT)
    for stage, values in found.values.items():
        worked = worked_number(model, found, stage, 4, most)
        assert worked.value == float(values[4].flatten()[worked.unit])
        if worked.kind == NORM:
            x, mean, spread, gain, bias = worked.terms[0].factors
            value = (x - mean) / spread * gain + bias
        elif worked.kind == GELU:
            given = torch.tensor(worked.terms[0].factors[0], dtype=torch.float64)
            value = float(F.gelu(given, approximate="tanh" if settings else "none"))
        else:
            value = sum(map(product, worked.terms))
        if worked.kind != LOOKED_UP:
            assert math.isclose(value, worked.value, rel_tol=1e-9), stage
            assert len(worked.terms) <= max(most + 1, 2) or most == 100
