"""The same update rules on a real network: Bengio's model on the characters of the book."""

import math
import time
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional as F

from lm_core.models.mlp import MLPLanguageModel, MLPLanguageModelConfig
from lm_core.results import Recorded
from lm_core.rng import generator
from lm_core.training import update_rules

NETWORK = MLPLanguageModelConfig(70, context_size=8, embedding_size=16, hidden_size=300)
BATCH = 512
STEPS = 1_000
SEARCH_STEPS = 300
EVERY = 20
"""Steps whose mean loss is one number of a curve."""
SEED = 1
ADAM_BESIDE_MUON = 0.1
"""Adam's rate, for what is no matrix between layers, as a share of Muon's."""

RULES: dict[str, update_rules.UpdateRule] = {
    "GD": update_rules.GradientDescent(),
    "momentum": update_rules.GradientDescent(0.9),
    "Nesterov": update_rules.GradientDescent(0.9, is_nesterov=True),
    "AdaGrad": update_rules.AdaGrad(),
    "RMSProp": update_rules.RMSProp(),
    "AdaDelta": update_rules.AdaDelta(),
    "Adam": update_rules.Adam(),
    "Muon": update_rules.Muon(),
}
RATES = {
    "GD": (0.1, 0.3, 1.0, 3.0),
    "momentum": (0.03, 0.1, 0.3, 1.0),
    "Nesterov": (0.03, 0.1, 0.3, 1.0),
    "AdaGrad": (0.01, 0.03, 0.1, 0.3),
    "RMSProp": (0.0003, 0.001, 0.003, 0.01),
    "AdaDelta": (0.3, 1.0, 3.0, 10.0),
    "Adam": (0.001, 0.003, 0.01, 0.03),
    "Muon": (0.01, 0.03, 0.1, 0.3),
}
"""Of which each rule gets the one with the lowest loss in a short training."""


@dataclass(frozen=True)
class LossCurve:
    """A training by one rule."""

    name: str
    rate: float
    losses: tuple[float, ...]
    """Mean of each `EVERY` steps, in nats a character, on the batches learned from."""
    seconds: tuple[float, ...]  # of the processor until then


def train(name: str, rate: float, text: Tensor, steps: int = STEPS) -> LossCurve:
    """Train Bengio's model on batches of random places of a text; the same ones for every rule."""
    model = MLPLanguageModel(NETWORK)
    model.initialise(generator(SEED))
    rng = generator(SEED)
    parameters = dict(model.named_parameters())
    rules = {key: _rule_of(name, key) for key in parameters}
    memories = {key: rules[key].start(p.detach()) for key, p in parameters.items()}
    losses: list[float] = []
    curve: list[float] = []
    seconds: list[float] = []
    began = time.process_time()
    for _ in range(steps):
        loss = _loss(model, text, rng)
        gradients = torch.autograd.grad(loss, list(parameters.values()))
        with torch.no_grad():
            for (key, parameter), gradient in zip(parameters.items(), gradients, strict=True):
                own_rate = rate * (ADAM_BESIDE_MUON if _is_beside_muon(name, key) else 1.0)
                moved = rules[key].step(parameter.detach(), gradient, memories[key], own_rate)
                parameter.copy_(moved.weights)
                memories[key] = moved.memory
        losses.append(float(loss.detach()))
        if len(losses) == EVERY:
            curve.append(round(sum(losses) / EVERY, 4))
            seconds.append(round(time.process_time() - began, 3))
            losses.clear()
    return LossCurve(name, rate, tuple(curve), tuple(seconds))


def _rule_of(name: str, key: str) -> update_rules.UpdateRule:
    """Return the rule of a parameter: Muon is for matrices between layers, Adam for the others."""
    return update_rules.Adam() if _is_beside_muon(name, key) else RULES[name]


def _is_beside_muon(name: str, key: str) -> bool:
    return name == "Muon" and key != "hidden.weight"


def _loss(model: MLPLanguageModel, text: Tensor, rng: torch.Generator) -> Tensor:
    n = NETWORK.context_size
    ends = torch.randint(n, len(text), (BATCH,), generator=rng)
    contexts = text[ends[:, None] + torch.arange(-n, 0)]
    return F.cross_entropy(model.trace(contexts).logits, text[ends])


def best_of_rates(name: str, text: Tensor) -> float:
    """Return the rate of `RATES` with the lowest loss at the end of a short training."""
    found = {rate: train(name, rate, text, SEARCH_STEPS).losses[-1] for rate in RATES[name]}
    finite = {rate: loss for rate, loss in found.items() if math.isfinite(loss)}
    return min(finite, key=lambda rate: finite[rate])


@dataclass(frozen=True)
class OptimiserResults(Recorded, name="optimisers"):
    """What was measured."""

    curves: tuple[LossCurve, ...]
