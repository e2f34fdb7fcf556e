"""Which graphics card a worker gets, seen from the server and from another worker."""

import pytest
import torch

from lm_core.jobs import launchers
from lm_core.jobs.launchers import ProcessLauncher


@pytest.fixture
def cards(monkeypatch):
    """Pretend that this machine has so many graphics cards."""
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    monkeypatch.setattr(launchers, "choose_device", lambda: torch.device("cuda"))

    def pretend(n):
        monkeypatch.setattr(torch.cuda, "device_count", lambda: n)

    return pretend


def test_a_worker_knows_of_the_cards_that_it_does_not_see(cards, monkeypatch):
    cards(3)
    assert ProcessLauncher().slots() == 3
    given = launchers._graphics_card(1)
    assert given["CUDA_VISIBLE_DEVICES"] == "1"
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    cards(1)
    assert ProcessLauncher().slots() == 3
    seen = [launchers._graphics_card(slot)["CUDA_VISIBLE_DEVICES"] for slot in range(3)]
    assert seen == ["0", "1", "2"]


def test_only_the_cards_that_the_server_may_use_are_given_out(cards, monkeypatch):
    cards(2)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "5,GPU-7")
    assert ProcessLauncher().slots() == 2
    assert launchers._graphics_card(1)["CUDA_VISIBLE_DEVICES"] == "GPU-7"


def test_without_a_card_there_is_one_worker(monkeypatch):
    monkeypatch.setattr(launchers, "choose_device", lambda: torch.device("cpu"))
    assert ProcessLauncher().slots() == 1
    assert launchers._graphics_card(0) == {}
