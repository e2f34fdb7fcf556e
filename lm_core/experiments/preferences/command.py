"""Write and judge comparisons, fit reward models, tune the writer in many ways, and put it all together."""

import argparse
import time
from pathlib import Path

import safetensors.torch
import torch
from torch import Tensor

from lm_core.experiments.preferences import study
from lm_core.experiments.preferences.comparisons import Pool
from lm_core.experiments.preferences.results import FinishedTuning, PreferenceResults, TunedWriter
from lm_core.experiments.preferences.settings import WRITER, TuningConfig
from lm_core.files import write_whole
from lm_core.models.low_rank import thin_matrices
from lm_core.models.transformer import TransformerLanguageModel
from lm_core.results import provenance
from lm_core.training.checkpoints import load_shipped

HELP = "teach the writer what is liked: reward models, REINFORCE, PPO, DPO, best-of-n"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's options."""
    parser.add_argument(
        "--runs", type=Path, default=Path("runs/preferences"), help="folder of finished tunings"
    )
    parser.add_argument("--first", type=int, default=len(study.RUNS), help="tunings to make")
    PreferenceResults.add_output_option(parser)


def run(arguments: argparse.Namespace) -> None:
    """Make what is not there yet, a line for each tuning, then write everything into one file."""
    torch.set_num_threads(1)
    arguments.runs.mkdir(parents=True, exist_ok=True)
    checkpoint = load_shipped(WRITER)
    writer = checkpoint.model.requires_grad_(False)
    began = time.process_time()
    training, held_out = _pools(writer, arguments.runs / "pools.safetensors")
    tasks = {rule.name: study.prepare_task(rule, training, held_out) for rule in study.rules()}
    pools_seconds = time.process_time() - began
    tuned = []
    for number, config in enumerate(study.RUNS[: arguments.first]):
        file = arguments.runs / f"{number:02d}.json"
        if not file.exists():
            made_now = _tune(writer, config, tasks[config.rule], training)
            FinishedTuning(provenance(device="cpu", seconds=made_now.seconds), made_now).save(file)
        tuned.append(FinishedTuning.load(file).of(config))
        last = tuned[-1].points[-1]
        print(
            f"{config.name:<48} KL {last.kl:6.2f}  reward {last.reward:5.2f}"
            f"  by the model {last.model_reward:5.2f}  {tuned[-1].seconds:5.0f} s",
            flush=True,
        )
    made = provenance(
        device="cpu",
        seconds=pools_seconds + sum(run.seconds for run in tuned),
        writer=WRITER,
        writer_sha256=checkpoint.meta.weights_sha256,
    )
    PreferenceResults.of_study(made, tasks, (training, held_out), tuple(tuned)).save(arguments.out)


def _pools(writer: TransformerLanguageModel, file: Path) -> tuple[Pool, Pool]:
    """Write the continuations that are compared, or read those of an earlier call."""
    if not file.exists():
        pools = study.write_pools(writer)
        parts = zip(("training", "held_out"), pools, strict=True)
        stored = {f"{n}.{part}": t for n, p in parts for part, t in p.tensors().items()}
        write_whole(file, safetensors.torch.save(stored))
    stored = safetensors.torch.load(file.read_bytes())
    return _pool(stored, "training."), _pool(stored, "held_out.")


def _pool(stored: dict[str, Tensor], prefix: str) -> Pool:
    return Pool.of_tensors(
        {n.removeprefix(prefix): t for n, t in stored.items() if n.startswith(prefix)}
    )


def _tune(
    writer: TransformerLanguageModel, config: TuningConfig, task: study.Task, training: Pool
) -> TunedWriter:
    """Carry out one tuning to its end."""
    began, points = time.process_time(), []
    matrices: dict[str, Tensor] = {}
    for evaluation, tuning in study.tune(writer, config, task, training):
        points.append(evaluation)
        matrices = thin_matrices(tuning.updates)
    seconds = round(time.process_time() - began, 1)
    halved = {name: matrix.half() for name, matrix in matrices.items()}
    return TunedWriter(config, tuple(points), halved, seconds)
