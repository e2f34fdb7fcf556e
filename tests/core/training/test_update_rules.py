"""Every rule equals its class in torch.optim, step by step, in float64; none changes what it is given."""

import pytest
import torch

from lm_core.rng import generator
from lm_core.training.update_rules import (
    AdaDelta,
    AdaGrad,
    Adam,
    GradientDescent,
    Muon,
    RMSProp,
    orthogonalised,
)

RATE = 0.03
TORCH = {
    "descent": (GradientDescent(), lambda p: torch.optim.SGD(p, lr=RATE)),
    "momentum": (GradientDescent(0.9), lambda p: torch.optim.SGD(p, lr=RATE, momentum=0.9)),
    "averaged": (
        GradientDescent(0.9, dampening=0.9),
        lambda p: torch.optim.SGD(p, lr=RATE, momentum=0.9, dampening=0.9),
    ),
    "nesterov": (
        GradientDescent(0.9, is_nesterov=True),
        lambda p: torch.optim.SGD(p, lr=RATE, momentum=0.9, nesterov=True),
    ),
    "adagrad": (AdaGrad(), lambda p: torch.optim.Adagrad(p, lr=RATE)),
    "rmsprop": (RMSProp(), lambda p: torch.optim.RMSprop(p, lr=RATE)),
    "adadelta": (AdaDelta(), lambda p: torch.optim.Adadelta(p, lr=RATE)),
    "adam": (Adam(), lambda p: torch.optim.Adam(p, lr=RATE)),
    "muon": (Muon(), lambda p: torch.optim.Muon(p, lr=RATE, weight_decay=0.0)),
}


def loss(weights):
    return (weights.square() * torch.tensor([1.0, 8.0, 0.3], dtype=torch.float64)).sum() + (
        weights[0, 0] * weights[1, 2]
    )


def gradient(weights):
    weights = weights.detach().requires_grad_()
    return torch.autograd.grad(loss(weights), weights)[0]


@pytest.mark.parametrize("name", TORCH)
@pytest.mark.parametrize("shape", [(2, 3), (5, 3)])
def test_each_step_is_torchs(name, shape, monkeypatch):
    # torch's Muon rounds to bfloat16; in the numbers of the others both must be the same.
    monkeypatch.setattr(torch.Tensor, "bfloat16", torch.Tensor.double)
    rule, optimizer_of = TORCH[name]
    start = torch.randn(shape, generator=generator(1), dtype=torch.float64)
    theirs = torch.nn.Parameter(start.clone())
    optimizer = optimizer_of([theirs])
    ours, memory = start, rule.start(start)
    for _ in range(25):
        theirs.grad = gradient(theirs)
        optimizer.step()
        ours, memory = rule.step(ours, gradient(ours), memory, RATE)
        torch.testing.assert_close(ours, theirs.detach(), atol=1e-11, rtol=1e-9)
    assert memory.step == 25


@pytest.mark.parametrize("name", TORCH)
def test_nothing_is_changed_in_place(name):
    rule, _ = TORCH[name]
    weights = torch.ones((2, 3), dtype=torch.float64)
    memory = rule.start(weights)
    moved = rule.step(weights, gradient(weights), memory, RATE)
    kept = [tensor.clone() for tensor in (moved.weights, *moved.memory.tensors)]
    rule.step(moved.weights, gradient(moved.weights), moved.memory, RATE)
    assert torch.equal(weights, torch.ones_like(weights))
    assert not any(tensor.any() for tensor in memory.tensors)
    for before, now in zip(kept, (moved.weights, *moved.memory.tensors), strict=True):
        assert torch.equal(before, now)


def test_averaged_momentum_is_momentum_at_a_tenth_of_the_rate_but_for_the_first_gradient():
    g = torch.ones(1, 1, dtype=torch.float64)
    averaged, plain = GradientDescent(0.9, dampening=0.9), GradientDescent(0.9)
    weights = torch.zeros(1, 1, dtype=torch.float64)
    ends = []
    for rule, rate in ((averaged, 1.0), (plain, 0.1)):
        now, memory = weights, rule.start(weights)
        for _ in range(200):
            before = now
            now, memory = rule.step(now, g, memory, rate)
        ends.append(float(now - before))
    assert ends[0] == pytest.approx(ends[1], rel=1e-6) == pytest.approx(-1.0, rel=1e-6)


def test_orthogonalised_rows_are_nearly_so():
    matrix = torch.randn((3, 6), generator=generator(2), dtype=torch.float64)
    values = torch.linalg.svdvals(orthogonalised(matrix))
    assert (values > 0.6).all()
    assert (values < 1.3).all()
    torch.testing.assert_close(orthogonalised(matrix.mT), orthogonalised(matrix).mT)
