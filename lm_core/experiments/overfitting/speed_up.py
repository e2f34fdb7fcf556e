"""How much faster K processes take the steps of one: measured, with the time that they talk.

Each process has a copy of the weights and its rows of every batch, computes their share of the gradient,
adds all shares up with the others (gloo's all-reduce: the sum and the broadcast in one), and takes the
step. The model is the small transformer of this page.

The processes write what they measure into memory that they share with whoever started them.
"""

import os
import time
from dataclasses import dataclass

import torch
from torch import Tensor, distributed
from torch._C._distributed_c10d import TCPStore
from torch.multiprocessing.spawn import spawn
from torch.nn import functional as F

from lm_core.errors import SettingError
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator

NETWORK = TransformerLanguageModelConfig(70, width=64, heads=4, layers=2, context=64)
ROWS, WINDOW = 32, 64
WARM_UP, STEPS, ROUNDS = 3, 40, 5
RATE = 0.1
_LOOPBACK = "127.0.0.1"
_SECONDS, _TALKING = 0, 1
"""Columns of what each process measures."""


@dataclass(frozen=True)
class Speed:
    """What K processes took."""

    machines: int
    """K."""
    seconds: float
    """Of the fastest step, on its slowest process: whatever else a machine does only adds to
    that."""
    talking: float
    """Of these in the all-reduce, waiting for the others included: the median over the
    processes."""
    numbers: int
    """Gradients that each process sends and gets in a step."""
    difference: float
    """Largest difference of a weight after all steps from one process's; 0 for that one."""


def measure(machines: tuple[int, ...], steps: int = STEPS, rounds: int = ROUNDS) -> list[Speed]:
    """Let each number of processes in turn take the same steps, several times over.

    Raises SettingError if the rows of a batch cannot be shared out evenly, or 1 is not the first
    number.

    Parameters
    ----------
    machines : tuple of int, numbers of processes, 1 first
    steps, rounds : int, the steps of a round are timed after a few that are not
    """
    if machines[0] != 1 or any(ROWS % k for k in machines):
        raise SettingError(
            f"machines must begin with 1 and divide the batch, {ROWS}, got {machines}"
        )
    runs = [{k: _run(k, steps) for k in machines} for _ in range(rounds)]
    alone = runs[0][1][1]
    return [
        _speed(k, torch.cat([run[k][0] for run in runs], 1), runs[0][k][1], alone) for k in machines
    ]


def _speed(machines: int, times: Tensor, weights: Tensor, alone: Tensor) -> Speed:
    """Return what came of the times (K, steps, 2) of all steps, and of the weights at the end."""
    by_step = times[..., _SECONDS].max(0).values
    fastest = int(by_step.argmin())
    return Speed(
        machines,
        round(float(by_step[fastest]), 5),
        round(float(times[:, fastest, _TALKING].median()), 5),
        len(weights),
        float((weights - alone).abs().max()),
    )


def _run(machines: int, steps: int) -> tuple[Tensor, Tensor]:
    """Return the times (K, steps, 2) of all processes, and the first one's weights at the end."""
    n_weights = sum(p.numel() for p in TransformerLanguageModel(NETWORK).parameters())
    times = torch.zeros(machines, steps, 2, dtype=torch.float64).share_memory_()
    weights = torch.zeros(n_weights).share_memory_()
    store = TCPStore(_LOOPBACK, 0, machines + 1, True, wait_for_workers=False)
    spawn(_machine, (store.port, machines, times, weights), machines)
    return times, weights


def _machine(rank: int, port: int, machines: int, times: Tensor, weights: Tensor) -> None:
    """Be one of the processes."""
    torch.set_num_threads(1)
    store = TCPStore(_LOOPBACK, port, machines + 1, False)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=machines)
    model = TransformerLanguageModel(NETWORK)
    model.initialise(generator(1))
    rng = generator(2)
    own = slice(rank * ROWS // machines, (rank + 1) * ROWS // machines)
    for step in range(-WARM_UP, times.shape[1]):
        text = torch.randint(NETWORK.vocabulary_size, (ROWS, WINDOW + 1), generator=rng)
        distributed.barrier()
        took = take_step(model, text[own], 1.0 / machines)
        if step >= 0:
            times[rank, step] = torch.tensor(took)
    if rank == 0:
        weights.copy_(torch.cat([p.detach().flatten() for p in model.parameters()]))
    distributed.barrier()
    distributed.destroy_process_group()
    # As in `lm_core.training.data_parallel`: torch's threads may outlive Python's farewell.
    os._exit(0)


def take_step(model: TransformerLanguageModel, text: Tensor, share: float) -> tuple[float, float]:
    """Take a step with the others, and return its seconds, and those of the all-reduce among them.

    Parameters
    ----------
    text : int64 Tensor of shape (rows, WINDOW + 1), this process's rows
    share : float, of the batch that they are: what the mean gradient of these rows counts for
    """
    began = time.perf_counter()
    parameters = list(model.parameters())
    logits, _ = model(text[:, :-1], model.initial_state(len(text)))
    loss = F.cross_entropy(logits.flatten(0, 1), text[:, 1:].flatten())
    gradients = torch.autograd.grad(share * loss, parameters)
    flat = torch.cat([gradient.flatten() for gradient in gradients])
    computed = time.perf_counter()
    distributed.all_reduce(flat)
    talked = time.perf_counter()
    with torch.no_grad():
        parts = flat.split([p.numel() for p in parameters])
        for parameter, part in zip(parameters, parts, strict=True):
            parameter.sub_(RATE * part.view_as(parameter))
    return time.perf_counter() - began, talked - computed
