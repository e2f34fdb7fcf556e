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


def test_proxies_are_addresses_and_networks(monkeypatch):
    monkeypatch.setenv("LM_LAB_TRUSTED_PROXIES", "127.0.0.1, 10.0.0.0/8,fd00::/8")
    assert settings().trusted_proxies == "127.0.0.1, 10.0.0.0/8,fd00::/8"
    for wrong in ("everybody", "10.0.0.1/8", "*", "10.0.0.1,"):
        monkeypatch.setenv("LM_LAB_TRUSTED_PROXIES", wrong)
        with pytest.raises(SettingError, match="LM_LAB_TRUSTED_PROXIES"):
            settings()


def test_the_database_gets_its_password_from_a_file(monkeypatch, tmp_path):
    password = tmp_path / "password"
    assert settings().database_url() is None
    monkeypatch.setenv("LM_LAB_DATABASE", "postgresql+psycopg://lab@database:5432/lab")
    assert settings().database_url() == "postgresql+psycopg://lab@database:5432/lab"
    monkeypatch.setenv("LM_LAB_DATABASE_PASSWORD_FILE", str(password))
    with pytest.raises(SettingError, match="LM_LAB_DATABASE_PASSWORD_FILE cannot be read"):
        settings().database_url()
    password.write_text("p@ss/word\n")
    assert settings().database_url() == "postgresql+psycopg://lab:p%40ss%2Fword@database:5432/lab"
    monkeypatch.setenv("LM_LAB_DATABASE", "postgresql+psycopg://database/lab")
    with pytest.raises(SettingError, match="must name a user and no password"):
        settings().database_url()


def test_the_presenters_code_may_be_in_a_file(monkeypatch, tmp_path):
    secret = tmp_path / "code"
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE_FILE", str(secret))
    with pytest.raises(SettingError, match="LM_LAB_PRESENTER_CODE_FILE cannot be read"):
        settings().presenters_code()
    secret.write_text(" 1234\n")
    assert settings().presenters_code() == "1234"
    secret.write_text("\n")
    assert settings().presenters_code() is None
    monkeypatch.delenv("LM_LAB_PRESENTER_CODE_FILE")
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE", "5678")
    assert settings().presenters_code() == "5678"


@pytest.mark.parametrize(
    "value",
    [
        "'self'; script-src *",
        "a,b",
        "two\nlines",
        "*",
        "'none'",
        "http://moodle.example.org",
        "https://moodle.example.org/course",
        "https://*.example.org",
        "https://moodle.example.org  'self'",
        " ".join(f"https://moodle{n}.example.org" for n in range(9)),
    ],
)
def test_a_frame_setting_cannot_widen_the_policy(monkeypatch, value):
    monkeypatch.setenv("LM_LAB_FRAMED_BY", value)
    with pytest.raises(SettingError, match=r"LM_LAB_FRAMED_BY.*at most 8 origins.*moodle"):
        settings()


def test_a_frame_setting_names_the_hosts_whose_pages_may_show_the_lab(monkeypatch):
    assert (settings().framed_by, settings().framing_hosts()) == ("'self'", ())
    monkeypatch.setenv("LM_LAB_FRAMED_BY", "'self' https://moodle.example.org https://b:8443")
    assert settings().framing_hosts() == ("moodle.example.org", "b:8443")
    monkeypatch.setenv("LM_LAB_FRAMED_BY", " ".join(f"https://site-{n}.org" for n in range(8)))
    assert len(settings().framing_hosts()) == 8
