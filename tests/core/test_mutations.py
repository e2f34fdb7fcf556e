"""The suite must notice when the maths is broken: each mutation has to turn its tests red.

Opt-in (``pytest -m mutation``): every case copies the package and runs a part of the suite anew.
"""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Mutation(NamedTuple):
    file: str
    before: str
    after: str
    tests: str


MUTATIONS = [
    Mutation(
        "recurrent/language_model.py",
        "self.config.hidden_size] += 1.0",
        "self.config.hidden_size] -= 1.0",
        "test_lstm_language_model.py",
    ),
    Mutation(
        "recurrent/language_model.py",
        "/ (1.0 - rate)",
        "/ (1.0 + rate)",
        "test_lstm_language_model.py",
    ),
    Mutation(
        "recurrent/language_model.py",
        "return self.output(hidden), (h.transpose(0, 1), c.transpose(0, 1))",
        "return self.output(hidden), (c.transpose(0, 1), h.transpose(0, 1))",
        "test_lstm_language_model.py",
    ),
    Mutation(
        "training/streams.py",
        "self._positions[start + 1 : stop + 1].T",
        "self._positions[start:stop].T",
        "test_training_loop.py",
    ),
    Mutation(
        "training/optimizer.py",
        "0.5 * (1.0 + math.cos",
        "0.5 * (1.0 - math.cos",
        "test_training_loop.py",
    ),
    Mutation(
        "training/loop.py",
        "if self._holds_out else len(",
        "if not self._holds_out else len(",
        "test_training_loop.py",
    ),
    Mutation(
        "training/loop.py",
        "tuple(tensor.detach() for tensor in state)",
        "self._state",
        "test_training_loop.py",
    ),
    Mutation(
        "evaluation.py", "tokens[start + 1 : stop + 1]", "tokens[start:stop]", "test_evaluation.py"
    ),
    Mutation(
        "evaluation.py",
        "logits, state = model(tokens[None",
        "logits, _ = model(tokens[None",
        "test_evaluation.py",
    ),
    Mutation(
        "evaluation.py",
        "math.log1p(-weight) - second",
        "math.log1p(weight) - second",
        "test_evaluation.py",
    ),
    Mutation(
        "generation/transforms.py",
        "logits / temperature",
        "logits * temperature",
        "test_transforms.py",
    ),
    Mutation("training/checkpoints.py", "strict=True", "strict=False", "test_checkpoints.py"),
    Mutation(
        "training/checkpoints.py",
        "if digest != meta.weights_sha256",
        "if digest == meta.weights_sha256",
        "test_checkpoints.py",
    ),
    Mutation(
        "training/streams.py",
        'tuple(saved["pass"]), saved["position"]',
        'tuple(saved["pass"]), 0',
        "test_training_loop.py",
    ),
    Mutation(
        "training/loop.py",
        "if not (math.isfinite(loss) and math.isfinite(norm))",
        "if False",
        "test_run.py",
    ),
    Mutation(
        "training/resume.py", "_LONGEST_S = 1.0, 7.0", "_LONGEST_S = 1.0, 12.0", "test_resume.py"
    ),
    Mutation("training/locks.py", "fcntl.LOCK_EX |", "fcntl.LOCK_SH |", "test_locks.py"),
    Mutation(
        "training/store.py",
        "key=lambda pair: pair[1].ticket",
        "key=lambda pair: -pair[1].ticket",
        "test_jobs.py",
    ),
    Mutation(
        "training/queue.py",
        "status.crashes + (asked is not Marker.REQUEUE)",
        "status.crashes",
        "test_jobs.py",
    ),
    Mutation(
        "training/journals.py",
        "self._file.truncate(_whole_lines(self._file.read()))",
        "pass",
        "test_journals.py",
    ),
    Mutation("attention/masks.py", "distance < window", "distance <= window", "test_attention.py"),
    Mutation(
        "attention/dot_product.py",
        "masked_fill(nothing, 0.0)",
        "masked_fill(nothing, 1.0)",
        "test_attention.py",
    ),
    Mutation(
        "attention/positions/relative.py",
        "cap = per_direction - 1",
        "cap = n_buckets - 1",
        "test_positions.py",
    ),
    Mutation(
        "attention/sight.py",
        "behind < config.context",
        "behind <= config.context",
        "test_transformer.py",
    ),
    Mutation(
        "attention/sight.py", "min(n_keys, config.context - 1)", "n_keys", "test_transformer.py"
    ),
    Mutation(
        "attention/language_model.py",
        "keys.shape[1] - n_kept",
        "keys.shape[1] - n_kept + 1",
        "test_transformer.py",
    ),
    Mutation(
        "attention/blocks.py",
        "norm(layer_norm, x) if is_pre else x",
        "x",
        "test_transformer.py",
    ),
    Mutation(
        "training/muon.py",
        "spared.add(id(model.output.weight))",
        "pass",
        "test_training_loop.py",
    ),
    Mutation("attention/efficient.py", "(q @ k.mT).tril()", "(q @ k.mT)", "test_attention_cost.py"),
    Mutation("clustering/assignment.py", "moved.neg_()", "moved", "test_k_means.py"),
    Mutation("clustering/assignment.py", "- old.bincount", "+ old.bincount", "test_k_means.py"),
    Mutation("clustering/assignment.py", "(centres + origin)", "centres", "test_k_means.py"),
    Mutation("clustering/assignment.py", "sums, len(changed))", "sums, 1)", "test_k_means.py"),
    Mutation("clustering/assignment.py", "alpha=2.0", "alpha=1.0", "test_k_means.py"),
    Mutation("clustering/assignment.py", "= centres[0]", "= centres.mean(0)", "test_k_means.py"),
    Mutation("clustering/assignment.py", "= centres[0]", "= 0.0 * centres[0]", "test_k_means.py"),
    Mutation(
        "clustering/assignment.py",
        "sums.index_add_(0, labels[block]",
        "sums.index_copy_(0, labels[block]",
        "test_k_means.py",
    ),
    Mutation(
        "clustering/k_means.py",
        "can_spare = counts[labels] > 1",
        "can_spare = counts[labels] > 0",
        "test_k_means.py",
    ),
    Mutation(
        "clustering/k_means.py",
        "torch.where(counts[:, None] > 0, means, centres)",
        "means",
        "test_k_means.py",
    ),
    Mutation("clustering/k_means.py", "distances[farthest] == 0.0", "False", "test_k_means.py"),
    Mutation("clustering/k_means.py", "counts[labels[farthest]] -= 1", "pass", "test_k_means.py"),
    Mutation(
        "clustering/k_means.py",
        "sums[labels[farthest]] -= points[farthest]",
        "pass",
        "test_k_means.py",
    ),
    Mutation("clustering/starts.py", "nearest.argmax()", "nearest.argmin()", "test_k_means.py"),
    Mutation(
        "clustering/starts.py",
        "(points - points[taken]).square()",
        "(points - points[taken]).abs()",
        "test_k_means.py",
    ),
    Mutation("clustering/points.py", "if not torch.linalg", "if torch.linalg", "test_k_means.py"),
    Mutation(
        "clustering/points.py", "min(first + size,", "min(first + size - 1,", "test_k_means.py"
    ),
    Mutation("clustering/moments.py", "- step[:, :, None] * step[:, None, :]", "", "test_em.py"),
    Mutation("clustering/moments.py", "shares.sqrt()", "shares", "test_em.py"),
    Mutation(
        "clustering/moments.py", "log_likelihood += float", "log_likelihood = float", "test_em.py"
    ),
    Mutation("clustering/covariances.py", ".clamp(min=floor)", ".clamp(max=floor)", "test_em.py"),
    Mutation("clustering/covariances.py", "shares[:, None, None] * found", "found", "test_em.py"),
    Mutation(
        "clustering/em.py", "(expected - torch.xlogy", "(expected + torch.xlogy", "test_em.py"
    ),
    Mutation(
        "clustering/mixture.py",
        "- half_log_determinants",
        "+ half_log_determinants",
        "test_mixture.py",
    ),
    Mutation(
        "clustering/mixture.py",
        "mixture.factors[labels] @",
        "mixture.covariances[labels] @",
        "test_mixture.py",
    ),
    Mutation(
        "clustering/mixture.py",
        "clusters * width + clusters - 1",
        "clusters * width + clusters",
        "test_mixture.py",
    ),
    Mutation(
        "clustering/quality.py", "(counts[labels] - 1.0)", "counts[labels]", "test_mixture.py"
    ),
    Mutation("clustering/quality.py", "row_price[row_of[j]] += step", "pass", "test_mixture.py"),
    Mutation(
        "estimation/animals.py", "birds / (birds + others)", "birds / others", "test_estimation.py"
    ),
    Mutation("estimation/models.py", "1.0 - h.square()", "1.0 + h.square()", "test_estimation.py"),
    Mutation(
        "estimation/fitting.py", "- decay * weights", "+ decay * weights", "test_estimation.py"
    ),
    Mutation(
        "estimation/fitting.py",
        "torch.where(better[:, None], weights + step, weights)",
        "weights + step",
        "test_estimation.py",
    ),
    Mutation(
        "estimation/likelihood.py", "1.0 - probabilities)", "probabilities)", "test_estimation.py"
    ),
    Mutation(
        "estimation/experiment.py",
        ".square().sum(0) / (n - 1)",
        ".square().sum(0) / n",
        "test_estimation.py",
    ),
    Mutation(
        "estimation/experiment.py",
        "samples.can_fly.long(), interval",
        "1 - samples.can_fly.long(), interval",
        "test_estimation.py",
    ),
]


def copy_of_the_package(folder: Path) -> Path:
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("lm_core", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", folder)
    (folder / "assets").symlink_to(ROOT / "assets")
    return folder


def run_of(tests: str, folder: Path) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-x", "-q", f"tests/core/{tests}"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.mutation
@pytest.mark.parametrize("tests", sorted({mutation.tests for mutation in MUTATIONS}))
def test_a_copy_that_nothing_is_broken_in_is_green(tests, tmp_path):
    run = run_of(tests, copy_of_the_package(tmp_path))
    assert run.returncode == 0, run.stdout[-2000:]


@pytest.mark.mutation
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda m: f"{m.file}: {m.before} -> {m.after}")
def test_a_mutation_turns_the_suite_red(mutation, tmp_path):
    path = copy_of_the_package(tmp_path) / "lm_core" / mutation.file
    source = path.read_text(encoding="utf-8")
    assert mutation.before in source, "the line to break is no longer there"
    path.write_text(source.replace(mutation.before, mutation.after), encoding="utf-8")
    run = run_of(mutation.tests, tmp_path)
    assert run.returncode == 1, run.stdout[-2000:]
