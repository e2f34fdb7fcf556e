"""One training on several devices: each process learns from its share of the rows of every batch.

PyTorch's own DistributedDataParallel averages the gradients (gloo between processors, nccl between
graphics cards), so all processes take the same step, and the run is the one that a single process
would do with the same batch, up to the order in which numbers are added. Only dropout differs: each
process draws its own masks, from a seed of its own that follows from the run's, so a run with
dropout depends on the number of devices. The masks on recurrent weights, one for a whole batch in a
single process, are then one for each share.

The process that makes a `SharedTraining` leads. It is used like any `Training`, evaluates the
held-out text and alone writes anything; the others wait for its word, and end when it ends.

torchrun's `elastic_launch` would block the process that must yield the steps and watch for a cancel
until all ranks have ended, so the ranks are spawned with `torch.multiprocessing` from here.

References
----------
Li et al. 2020, "PyTorch Distributed: Experiences on Accelerating Data Parallel Training".
https://arxiv.org/abs/2006.15704
"""

import os
from datetime import timedelta
from typing import Any

import torch
from torch import Tensor, distributed, nn
from torch._C._distributed_c10d import TCPStore
from torch.multiprocessing.spawn import ProcessExitedException, ProcessRaisedException, spawn
from torch.nn.parallel import DistributedDataParallel

from lm_core.errors import CheckpointError, DeviceError, SettingError
from lm_core.models.language_model import LanguageModel, State
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.training.language_modelling import Training, TrainingConfig
from lm_core.training.loop import TrainStep

_BACKENDS = {"cpu": "gloo", "cuda": "cpu:gloo,cuda:nccl"}
_LOOPBACK = "127.0.0.1"
_PATIENCE = timedelta(minutes=10)  # with a leader that evaluates or waits for a disk
_FAREWELL_S = 10.0


class _TrainingLogits(nn.Module):
    """`training_logits` as a forward: gradients are averaged for what a forward has computed."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__()
        self.model = model

    def forward(
        self, tokens: Tensor, state: State, *, rng: torch.Generator, dtype: torch.dtype
    ) -> tuple[Tensor, State]:
        return self.model.training_logits(tokens, state, rng=rng, dtype=dtype)


class _Share(Training):
    """One process's part of a training. All processes call the same methods in the same order."""

    def __init__(
        self,
        model: LanguageModel,
        tokens: Tensor,
        config: TrainingConfig,
        *,
        rank: int,
        n_devices: int,
        **settings: Any,
    ) -> None:
        size = config.batch // n_devices
        self._rank, self._n_devices = rank, n_devices
        self._own_rows = slice(rank * size, (rank + 1) * size)
        super().__init__(model, tokens, config, **settings)
        # The order of the text is drawn alike everywhere, dropout is not.
        seeds = torch.randint(2**62, (n_devices,), generator=generator(config.seed))
        self._dropout_rng = generator(int(seeds[rank]), self.device)
        self._predict = DistributedDataParallel(_TrainingLogits(model))

    def state_dict(self) -> dict[str, Any]:
        """Return the whole training's state from rank 0, and the share's own from the others."""
        own = super().state_dict()
        parts = [None] * self._n_devices if self._rank == 0 else None
        part = [tensor.cpu() for tensor in own["state"]], own["dropout_rng"]
        distributed.gather_object(part, parts)
        if parts is None:
            return own
        states, rngs = zip(*parts, strict=True)
        whole = [torch.cat(tensors) for tensors in zip(*states, strict=True)]
        return own | {"state": whole, "dropout_rng": torch.stack(rngs)}

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        own = {
            "state": [tensor[self._own_rows] for tensor in saved["state"]],
            # A copy: torch reads a generator's state from where the storage begins, not the view.
            "dropout_rng": saved["dropout_rng"][self._rank].clone(),
        }
        super().load_state_dict(saved | own)

    def _of_whole_batch(self, loss: Tensor) -> float:
        """Every process learns the same number, so all of them go on or none does."""
        total = torch.tensor(loss.item(), dtype=torch.float64)
        distributed.all_reduce(total)
        return total.item() / self._n_devices

    def _held_out_loss(self) -> float | None:
        return super()._held_out_loss() if self._rank == 0 else None


class SharedTraining(_Share):
    """A `Training` on several devices of this machine; `close` it when nothing more is wanted of it.

    Raises SettingError if the batch cannot be shared out evenly, or the machine has fewer graphics
    cards, and DeviceError if another process fails to start, here, or dies, in any method.

    Parameters
    ----------
    model, tokens, config, fresh, held_out_every
        As for a `Training`.
    n_devices : int, at least 2, a divisor of the batch
    device : torch.device or str, ``cpu`` for as many processes, or ``cuda`` for as many graphics cards
    """

    def __init__(
        self,
        model: LanguageModel,
        tokens: Tensor,
        config: TrainingConfig,
        *,
        n_devices: int,
        fresh: bool = True,
        held_out_every: int = 500,
        device: torch.device | str = "cpu",
    ) -> None:
        kind = torch.device(device).type
        _require_devices(n_devices, config.batch, kind)
        self._is_between_calls = False
        store = TCPStore(_LOOPBACK, 0, n_devices, True, wait_for_workers=False)
        self._others = spawn(_follow, (store.port, n_devices, kind), n_devices - 1, join=False)
        settings = {"fresh": fresh, "held_out_every": held_out_every, "n_devices": n_devices}
        try:
            _join(store, 0, n_devices, kind)
            _tell((model.config, tokens, config, settings))
            super().__init__(model, tokens, config, rank=0, device=_device(kind, 0), **settings)
        except RuntimeError as error:
            raise self._failed(error) from error
        except BaseException:
            self.close()
            raise
        self._is_between_calls = True

    def take_step(self) -> TrainStep:
        """Learn from the next window of every row, each process from its own."""
        return self._together("take_step")

    def state_dict(self) -> dict[str, Any]:
        """Return the state of all processes as one."""
        return self._together("state_dict")

    def load_state_dict(self, saved: dict[str, Any]) -> None:
        """Go on from `state_dict`'s record, on as many devices as it was made on."""
        rngs = saved["dropout_rng"]
        if rngs.dim() != 2 or len(rngs) != self._n_devices:
            raise CheckpointError(
                f"the saved run was not made on {self._n_devices} devices: go on with as many as"
                " it was begun with"
            )
        self._together("load_state_dict", saved)

    def close(self) -> None:
        """Let the other processes end; nothing but the model can be used afterwards."""
        if self._is_between_calls:
            self._is_between_calls = False
            _tell(None)
            self._others.join(_FAREWELL_S)
        for process in self._others.processes:
            process.terminate()
            process.join()
        if distributed.is_initialized():
            distributed.destroy_process_group()

    def _together(self, name: str, *arguments: Any) -> Any:
        """Have every process call its share's method of that name; return what it gives here."""
        self._is_between_calls = False
        try:
            _tell((name, *arguments))
            result = getattr(super(), name)(*arguments)
        except RuntimeError as error:
            raise self._failed(error) from error
        self._is_between_calls = True
        return result

    def _failed(self, error: RuntimeError) -> DeviceError:
        """End what is left of the other processes, and say why, in the words of the one that failed."""
        reason: Exception = error
        try:
            self._others.join(_FAREWELL_S)
        except (ProcessRaisedException, ProcessExitedException) as theirs:
            reason = theirs
        self.close()
        return DeviceError(
            f"the processes of this training have lost one of their number: {reason}. Start it"
            " again: it continues from what was saved last"
        )


def _require_devices(n_devices: int, batch: int, kind: str) -> None:
    if n_devices < 2 or batch % n_devices:
        raise SettingError(
            f"devices must be a divisor of the batch, {batch}, and at least 2, got {n_devices}"
        )
    if kind not in _BACKENDS:
        raise SettingError(f"several devices must be cpu or cuda, got {kind!r}")
    if kind == "cuda" and torch.cuda.device_count() < n_devices:
        raise SettingError(
            f"devices must be at most {torch.cuda.device_count()}, the number of graphics cards"
            f" here, got {n_devices}"
        )


def _device(kind: str, rank: int) -> torch.device:
    return torch.device(kind, rank) if kind == "cuda" else torch.device(kind)


def _join(store: TCPStore, rank: int, n_devices: int, kind: str) -> None:
    distributed.init_process_group(
        _BACKENDS[kind], store=store, rank=rank, world_size=n_devices, timeout=_PATIENCE
    )


def _tell(message: Any) -> None:
    distributed.broadcast_object_list([message])


def _told() -> Any:
    message = [None]
    distributed.broadcast_object_list(message)
    return message[0]


def _follow(i_other: int, port: int, n_devices: int, kind: str) -> None:
    """Be one of the other processes: make a share, then do with it what the leader does with its own."""
    rank = i_other + 1
    torch.set_num_threads(1)
    _join(TCPStore(_LOOPBACK, port, n_devices, False), rank, n_devices, kind)
    model_config, tokens, config, settings = _told()
    share = _Share(
        build(model_config), tokens, config, rank=rank, device=_device(kind, rank), **settings
    )
    while call := _told():
        name, *arguments = call
        getattr(share, name)(*arguments)
    distributed.destroy_process_group()
    # Not by way of Python's farewell: torch's threads may still be about, and would be taken for a
    # crash (SIGABRT, "terminate called without an active exception"). Nothing is left to be saved.
    os._exit(0)
