from pathlib import Path

import pytest

from lm_core.errors import SettingError
from lm_core.settings import settings


def test_variables_are_read_when_asked_for(monkeypatch):
    monkeypatch.setenv("HOME", "/home/reader")
    monkeypatch.setenv("LM_LAB_CACHE", "~/here")
    monkeypatch.setenv("LM_LAB_PREWARMED_WORKER", "0")
    assert settings().cache == Path("/home/reader/here")
    assert not settings().prewarmed_worker
    monkeypatch.setenv("LM_LAB_CACHE", "")
    monkeypatch.delenv("LM_LAB_PREWARMED_WORKER")
    assert settings().cache == Path("/home/reader/.cache/lm-lab")
    assert settings().prewarmed_worker


def test_a_value_that_cannot_be_used_is_refused_by_its_variable(monkeypatch):
    monkeypatch.setenv("LM_LAB_DEVICE", "abacus")
    with pytest.raises(SettingError, match=r"LM_LAB_DEVICE is 'abacus'.*'cuda'.*unset it"):
        settings()
