"""Recurrent Jacobians: spectral radii, gradients as autograd, and growth before decay."""

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.gradients import recurrence
from lm_core.models.activations import ACTIVATIONS
from lm_core.models.deep_network import LINEAR
from lm_core.rng import generator


@pytest.mark.parametrize("kind", recurrence.KINDS)
def test_a_matrix_has_the_radius_that_is_asked_for(kind):
    values = torch.linalg.eigvals(recurrence.recurrent_matrix(kind, 0.8, generator(1), 12))
    assert float(values.abs().max()) == pytest.approx(0.8)
    if kind == recurrence.SYMMETRIC:
        assert float(values.imag.abs().max()) < 1e-9
    if kind == recurrence.ORTHOGONAL:
        assert values.abs().tolist() == pytest.approx([0.8] * 12)


def test_jacobians_multiply_to_autograds():
    matrix, tanh = (
        recurrence.recurrent_matrix(recurrence.KINDS[0], 1.1, generator(1), 6),
        ACTIVATIONS["tanh"],
    )
    found = recurrence.jacobians(matrix, tanh, 4, generator(2))
    inputs = 0.5 * torch.randn((4, 6), generator=generator(2), dtype=torch.float64)

    def last(state):
        for read in inputs:
            state = torch.tanh(matrix @ state + read)
        return state

    expected = torch.autograd.functional.jacobian(last, torch.zeros(6, dtype=torch.float64))
    torch.testing.assert_close(found[3] @ found[2] @ found[1] @ found[0], expected)
    unrolled = recurrence.unroll(matrix, tanh, generator(2), 4)
    largest = torch.linalg.matrix_norm(expected, 2)
    torch.testing.assert_close(unrolled.largest[-1], largest)
    assert float(unrolled.norms[-1]) <= float(largest)


@pytest.mark.parametrize("radius", [0.7, 1.2])
def test_an_orthogonal_matrix_changes_every_gradient_by_its_radius(radius):
    matrix = recurrence.recurrent_matrix(recurrence.ORTHOGONAL, radius, generator(1), 8)
    found = recurrence.unroll(matrix, LINEAR, generator(2), 10)
    expected = radius ** torch.arange(11, dtype=torch.float64)
    for norms in (found.norms, found.largest, found.by_radius):
        torch.testing.assert_close(norms, expected)


def test_a_triangular_matrix_lets_gradients_grow_before_they_vanish():
    matrix = recurrence.recurrent_matrix(recurrence.TRIANGULAR, 0.8, generator(1))
    found = recurrence.unroll(matrix, LINEAR, generator(2), 120)
    assert float(found.largest.max()) > 2
    assert float(found.largest[-1]) < 1e-3


def test_settings_that_make_no_sense_are_refused():
    with pytest.raises(SettingError, match="kind"):
        recurrence.recurrent_matrix("diagonal", 1.0, generator(1))
    with pytest.raises(SettingError, match="radius"):
        recurrence.recurrent_matrix(recurrence.KINDS[0], 0.0, generator(1))
