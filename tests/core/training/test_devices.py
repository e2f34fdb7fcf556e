import pytest
import torch

from lm_core.errors import SettingError
from lm_core.training.devices import choose_device, describe_device


@pytest.fixture
def machine(monkeypatch):
    def has(*, cuda=0, mps=False):
        monkeypatch.setattr(torch.cuda, "is_available", lambda: cuda > 0)
        monkeypatch.setattr(torch.cuda, "device_count", lambda: cuda)
        monkeypatch.setattr(torch.backends.mps, "is_available", lambda: mps)

    has()
    return has


def test_auto_takes_the_best_device_that_there_is(machine):
    assert choose_device("auto") == choose_device() == torch.device("cpu")
    machine(mps=True)
    assert choose_device("auto") == torch.device("mps")
    machine(mps=True, cuda=2)
    assert choose_device("auto") == torch.device("cuda")
    assert choose_device("cpu") == torch.device("cpu")


def test_the_variable_decides_unless_a_device_is_named(machine, monkeypatch):
    machine(cuda=1)
    monkeypatch.setenv("LM_LAB_DEVICE", "cpu")
    assert choose_device() == torch.device("cpu")
    assert choose_device("cuda") == torch.device("cuda")


def test_a_device_that_is_not_there_is_refused(machine):
    with pytest.raises(SettingError, match=r"no 'cuda' device, only \['cpu'\]"):
        choose_device("cuda")
    with pytest.raises(SettingError, match="device must be one of"):
        choose_device("tpu")


def test_a_device_is_described_for_people(monkeypatch):
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda device: "A card")
    assert describe_device(torch.device("cpu")) == "cpu"
    assert describe_device(torch.device("cuda")) == "cuda (A card)"
