import argparse

import pytest

from lm_core.cli import sample
from lm_core.errors import CheckpointError, SettingError
from lm_core.generation.beam_search import beam_search
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.text.character_vocabulary import SOURCE
from lm_core.training import checkpoints
from lm_core.training.checkpoints import save_checkpoint
from tests.core.toy_models import random_lstm
from tests.small_checkpoints import meta_of


@pytest.fixture
def model():
    return random_lstm(len(SOURCE))


@pytest.fixture
def shipped(tmp_path, monkeypatch, model):
    """Let a tiny model be the only one shipped."""
    save_checkpoint(tmp_path, model, meta_of(model.config, title="LSTM 2 x 16"))
    monkeypatch.setattr(checkpoints, "SHIPPED", tmp_path)
    return tmp_path


def run(*options: str) -> int:
    parser = argparse.ArgumentParser()
    sample.add_arguments(parser)
    return sample.run(parser.parse_args(options))


def text(model, prompt: str, settings: SamplingSettings, seed: int, length: int) -> str:
    generation = TextGeneration.begin(model, SOURCE.encode(prompt), settings, seed)
    return SOURCE.decode([written.token for written in generation.write(length)])


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        (["--method", "greedy"], SamplingSettings(temperature=0.0)),
        (["--method", "sample"], SamplingSettings()),
        (["--method", "sample", "--temperature", "0.5"], SamplingSettings(temperature=0.5)),
        (["--method", "top-k"], SamplingSettings(top_k=5)),
        (["--method", "top-k", "--top-k", "2"], SamplingSettings(top_k=2)),
        (["--method", "top-p"], SamplingSettings(top_p=0.95)),
        (["--method", "min-p"], SamplingSettings(min_p=0.05)),
        (["--method", "typical"], SamplingSettings(typical_p=0.95)),
        (["--method", "top-n-sigma"], SamplingSettings(top_n_sigma=1.0)),
        (["--method", "mirostat", "--top-k", "9"], SamplingSettings(top_k=9, mirostat_tau=1.5)),
    ],
)
def test_each_method_writes_the_text_of_its_settings(shipped, model, capsys, options, settings):
    assert run(*options, "--prompt", "Well, ", "--length", "50", "--seed", "3") == 0
    out, err = capsys.readouterr()
    assert out == "Well, " + text(model, "Well, ", settings, 3, 50) + "\n"
    assert err == ""


def test_beam_writes_the_best_beam(shipped, model, capsys):
    run("--method", "beam", "--beam-width", "3", "--length", "9", "--prompt", "a")
    best = beam_search(model, SOURCE.encode("a"), 3, 9)[0]
    assert capsys.readouterr().out == "a" + SOURCE.decode(best.tokens) + "\n"


def test_without_a_prompt_the_default_is_read_but_not_printed(shipped, model, capsys):
    run("--method", "sample", "--length", "20")
    assert capsys.readouterr().out == text(model, ". ", SamplingSettings(), 0, 20) + "\n"


def test_a_model_of_subwords_writes_as_many_characters_as_are_asked_for(capsys):
    for length in (40, 41):
        run("--model", "book-subword-transformer", "--length", str(length), "--verbose")
        out, err = capsys.readouterr()
        assert len(out) == length + 1
        assert f": {length} characters in" in err


def test_a_model_may_be_named_or_be_a_folder(shipped, capsys):
    texts = []
    for name in ("tiny", str(shipped / "tiny")):
        run("--model", name, "--length", "20")
        texts.append(capsys.readouterr().out)
    assert texts[0] == texts[1]


def test_an_unknown_model_is_answered_with_those_there_are(shipped):
    with pytest.raises(CheckpointError, match=r"shipped one \(tiny\) or .*, got 'huge'"):
        run("--model", "huge")


def test_where_no_model_is_shipped_a_folder_is_asked_for(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "SHIPPED", tmp_path / "nothing")
    with pytest.raises(CheckpointError, match="no model is shipped"):
        run()


def test_characters_outside_the_alphabet_are_named(shipped, capsys):
    run("--prompt", "a“é”éb", "--length", "5")
    out, err = capsys.readouterr()
    assert out.startswith("ab")
    assert "does not hold '“' x 1, 'é' x 2, '”' x 1; the model reads 'ab'" in err


def test_a_prompt_of_which_nothing_is_left_is_replaced_and_said_so(shipped, capsys):
    run("--prompt", "мир", "--length", "5")
    out, err = capsys.readouterr()
    assert out.startswith(". ")
    assert "nothing is left of the prompt; '. ' is read" in err


def test_speed_is_reported_on_request(shipped, capsys):
    run("--length", "5", "--verbose")
    assert "LSTM 2 x 16: 5 characters in" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--method", "greedy", "--temperature", "0.7"], "temperature must be 0 for .*got 0.7"),
        (["--method", "beam", "--top-k", "3"], r"cannot take \['top_k'\]"),
        (["--top-p", "1.5"], "top_p must lie in .*got 1.5"),
        (["--length", "0"], "length must be at least 1, got 0"),
    ],
)
def test_contradictions_and_bad_settings_are_refused(shipped, options, message):
    with pytest.raises(SettingError, match=message):
        run(*options)
