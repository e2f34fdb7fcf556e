"""A text written as a run: the one that the model writes anywhere, and none before its end."""

import itertools

import pytest

from lm_core.errors import CheckpointError, RunError
from lm_core.experiments.written_text import experiment
from lm_core.experiments.written_text.experiment import read_written, writing_run
from lm_core.experiments.written_text.synthetic_text import write_text
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.training.checkpoints import load_checkpoint, save_checkpoint
from tests.core.experiments.written_text.test_synthetic_text import lstm_writer

N = 256 * 8


@pytest.fixture
def shipped(tmp_path, monkeypatch):
    """A folder of checkpoints with a tiny writer in it."""
    tiny = lstm_writer()
    save_checkpoint(tmp_path / "shipped", tiny.model, tiny.meta)
    monkeypatch.setattr(experiment, "SHIPPED", tmp_path / "shipped")
    return tmp_path / "shipped"


def test_the_run_writes_what_the_model_writes(shipped, tmp_path):
    run = RunFolder(tmp_path / "run")
    steps = list(train_here(run, writing_run("tiny", n_characters=N)))
    assert [step.step for step in steps] == list(range(1, 9))
    *_, last = write_text(load_checkpoint(shipped / "tiny"), 1, n_characters=N)
    assert read_written(run) == last.written
    assert run.status().state is RunState.FINISHED


def test_what_is_interrupted_leaves_no_text_and_begins_again(shipped, tmp_path):
    run = RunFolder(tmp_path / "run")
    config = writing_run("tiny", n_characters=N)
    steps = train_here(run, config)
    list(itertools.islice(steps, 3))
    steps.close()
    assert run.status().state is RunState.PAUSED
    with pytest.raises(RunError, match="written again"):
        read_written(run)
    assert len(list(train_here(run, config))) == 8
    assert len(read_written(run).text) > 256


def test_another_writer_another_run(shipped, tmp_path):
    config = writing_run("tiny", n_characters=N)
    other = lstm_writer()
    other.model.load_state_dict({n: w + 1.0 for n, w in other.model.state_dict().items()})
    save_checkpoint(shipped, other.model, other.meta)
    assert writing_run("tiny", n_characters=N).fingerprint() != config.fingerprint()
    with pytest.raises(CheckpointError, match="other weights"):
        list(train_here(RunFolder(tmp_path / "run"), config))
