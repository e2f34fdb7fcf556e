import pickle

import pytest
import torch

from lm_core.errors import CheckpointError
from lm_core.jobs import resume as resume_module
from lm_core.jobs.resume import MOST_LOST_S, ResumeFile

STATE = {
    "model": {"weight": torch.arange(6.0).reshape(2, 3).T},
    "optimizer": {"state": {0: {"step": torch.tensor(3.0)}, 1: {}}, "param_groups": [{"lr": 0.1}]},
    "rng": torch.arange(4, dtype=torch.uint8),
    "state": [],
    "position": 7,
    "none": None,
}


@pytest.fixture
def file(tmp_path):
    return ResumeFile(tmp_path / "resume" / "state.safetensors")


def test_a_state_comes_back_as_it_was(file):
    assert file.load() is None
    file.save(STATE, 1.0)
    file.wait()
    loaded = file.load()
    assert torch.equal(loaded["model"]["weight"], STATE["model"]["weight"])
    assert torch.equal(loaded["rng"], STATE["rng"])
    assert loaded["optimizer"]["state"][0]["step"] == 3.0
    assert loaded["optimizer"]["state"][1] == {}
    assert loaded["optimizer"]["param_groups"] == [{"lr": 0.1}]
    assert (loaded["state"], loaded["position"], loaded["none"]) == ([], 7, None)


def test_the_state_is_that_of_the_call_whatever_happens_to_the_tensors_after(file):
    weight = torch.zeros(1_000_000)
    file.save({"weight": weight}, 1.0)
    weight += 1.0
    file.wait()
    assert file.load()["weight"].abs().max() == 0.0


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("the pickle was executed",))


def test_a_pickle_is_refused_and_never_executed(file, tmp_path):
    path = tmp_path / "resume" / "state.safetensors"
    path.parent.mkdir()
    for content in (pickle.dumps(Bomb()), b"", b"\x08" + bytes(20)):
        path.write_bytes(content)
        with pytest.raises(CheckpointError, match=r"state\.safetensors is damaged.*jobs clean"):
            file.load()


def simulated_run(file, step_s, cost_s, write_s, n_steps):
    """Return the most work at risk at any moment, and the share of time that went into saving."""
    seconds, saved_at, worst, n_saves = 0.0, 0.0, 0.0, 0
    file.begin(0.0)
    for _ in range(n_steps):
        seconds += step_s
        # Until it is written, what a kill in the middle of the next step would lose.
        worst = max(worst, seconds - saved_at + step_s + write_s)
        if file.is_due(seconds):
            saved_at = file._saved_at = seconds
            file._cost_s, file._write_s = cost_s, write_s
            n_saves += 1
    return worst, n_saves * cost_s / seconds


@pytest.mark.parametrize("step_s", [0.001, 0.05, 1.0, 3.0])
@pytest.mark.parametrize(("cost_s", "write_s"), [(0.002, 0.01), (0.07, 0.1), (0.5, 2.0)])
def test_no_more_than_ten_seconds_of_work_are_ever_at_risk(file, step_s, cost_s, write_s):
    worst, _ = simulated_run(file, step_s, cost_s, write_s, n_steps=int(200 / step_s))
    assert worst <= MOST_LOST_S


def test_saving_takes_about_one_percent_of_the_time(file):
    _, share = simulated_run(file, 0.05, 0.06, 0.1, n_steps=4000)
    assert share <= 0.0105


def test_a_state_that_costs_nothing_is_saved_every_second(file):
    file.begin(5.0)
    assert not file.is_due(5.9)
    assert file.is_due(6.0)


def test_a_costly_state_is_saved_every_seven_seconds_all_the_same(file):
    file.begin(5.0)
    file._cost_s = 0.5
    steps = (5.0 + 0.125 * i for i in range(1, 100))
    assert next(seconds for seconds in steps if file.is_due(seconds)) == 12.0


def test_a_full_disk_is_reported_by_the_next_call(file, monkeypatch):
    file.save(STATE, 1.0)
    file.wait()

    def no_space(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(resume_module.os, "fsync", no_space)
    file.save({"position": 8}, 2.0)
    with pytest.raises(CheckpointError, match=r"No space left.*before is untouched"):
        file.wait()
    assert file.load()["position"] == 7


def test_a_removed_state_is_gone(file):
    file.save(STATE, 1.0)
    file.remove()
    assert file.load() is None
