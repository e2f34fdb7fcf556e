"""torch's own optimizers, less the import of its compiler."""

import copy
import subprocess
import sys

import pytest
import torch

from lm_core.rng import generator
from lm_core.training import eager_optimizers

TRAIN = """
import sys, torch
from lm_core.training.eager_optimizers import SGD, Adam, AdamW, Muon
for kind in (SGD, Adam, AdamW, Muon):
    weights = torch.ones(3, 2, requires_grad=True)
    optimizer = kind([weights])
    optimizer.zero_grad()
    weights.square().sum().backward()
    optimizer.step()
    optimizer.load_state_dict(optimizer.state_dict())
    assert float(weights.sum()) < 6
sys.exit("torch._dynamo" in sys.modules)
"""


def test_a_step_and_its_state_need_no_compiler():
    assert subprocess.run([sys.executable, "-c", TRAIN], check=False).returncode == 0


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("SGD", {"momentum": 0.9}),
        ("Adam", {}),
        ("Adam", {"fused": True}),
        ("AdamW", {"weight_decay": 0.3}),
    ],
)
def test_it_takes_torchs_own_steps(name, settings):
    assert torch.equal(
        learned(getattr(eager_optimizers, name), settings),
        learned(getattr(torch.optim, name), settings),
    )


def test_muon_takes_torchs_own_steps_without_its_rounding(monkeypatch):
    settings = {"weight_decay": 0.3, "adjust_lr_fn": "match_rms_adamw"}
    ours = learned(eager_optimizers.Muon, settings)
    rounded = learned(torch.optim.Muon, settings)
    monkeypatch.setattr(torch.Tensor, "bfloat16", torch.Tensor.float)
    exact = learned(torch.optim.Muon, settings)
    torch.testing.assert_close(ours, exact, atol=1e-6, rtol=1e-5)
    assert (ours - exact).abs().max() < 0.01 * (rounded - exact).abs().max()


def test_matrices_that_go_together_go_where_each_goes_alone(monkeypatch):
    rng = generator(0)
    shapes = [(4, 3), (3, 4), (4, 3), (5, 5), (4, 3)]
    group = {"lr": 0.1, "momentum": 0.9, "weight_decay": 0.3}
    # Only the order of additions may differ: bfloat16 would hide a mix-up of small matrices.
    monkeypatch.setattr(torch.Tensor, "bfloat16", lambda tensor: tensor)
    alone = [[torch.randn(shape, generator=rng) for shape in shapes] for _ in range(3)]
    together = copy.deepcopy(alone)
    for _ in range(2):
        eager_optimizers.move_one_by_one(*alone, group)
        eager_optimizers.move_by_shape(*together, group)
    for ours, expected in zip(together, alone, strict=True):
        torch.testing.assert_close(ours, expected)


def learned(kind, settings):
    """The weights after some steps, with the optimizer's state put away and taken up half-way."""
    rng = generator(0)
    weights = torch.randn(4, 3, generator=rng).requires_grad_()
    inputs = torch.randn(7, 4, generator=rng)
    optimizer = kind([weights], lr=0.1, **settings)
    for step in range(6):
        if step == 3:
            saved = copy.deepcopy(optimizer.state_dict())
            optimizer = kind([weights], **settings)
            optimizer.load_state_dict(saved)
        optimizer.zero_grad()
        (inputs @ weights).tanh().square().sum().backward()
        optimizer.step()
    return weights
