import pytest

from lm_core.errors import LimitError, SettingError
from lm_core.jobs.limits import Limits


def test_each_limit_comes_from_a_variable_of_its_own(monkeypatch):
    monkeypatch.setenv("LM_LAB_MAX_RUN_SECONDS", "90")
    monkeypatch.setenv("LM_LAB_MAX_JOBS", "")
    assert Limits.from_environment() == Limits(run_seconds=90)


@pytest.mark.parametrize(("given", "match"), [("soon", "valid integer"), ("0", "greater than 0")])
def test_a_senseless_limit_is_refused_by_its_variable(monkeypatch, given, match):
    monkeypatch.setenv("LM_LAB_MAX_PARAMETERS", given)
    with pytest.raises(SettingError, match=f"LM_LAB_MAX_PARAMETERS is '{given}'.*{match}"):
        Limits.from_environment()


def test_what_is_asked_beyond_a_limit_is_refused_with_both_numbers():
    limits = Limits(text_bytes=5_000)
    limits.require("text_bytes", 5_000, "the text's length")
    with pytest.raises(LimitError, match="at most 5,000 here, got 5,001") as refused:
        limits.require("text_bytes", 5_001, "the text's length")
    assert refused.value.variable == "LM_LAB_MAX_TEXT_BYTES"
    assert "LM_LAB" not in str(refused.value), "a student can change no variable"
