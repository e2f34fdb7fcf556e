"""Recall results: filled point by point, kept in a file with its provenance, made by a command."""

import json

import pytest

from lm_core.__main__ import main
from lm_core.errors import ResultError
from lm_core.experiments.rnn_vs_lstm import command
from lm_core.experiments.rnn_vs_lstm.experiment import recall_run, recall_settings
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS, RecallProtocol
from lm_core.experiments.rnn_vs_lstm.results import (
    RecallResult,
    RecallResults,
    blind_chance,
    breaking_length,
    clockless_chance,
    results_path,
)
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.experiments.rnn_vs_lstm.sweep import missing_batches
from lm_core.jobs.records import RunState
from lm_core.jobs.registry import kind_of
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder

TINY = RecallProtocol("tiny", {"epochs": 4, "learning_rate": 0.1, "vocabulary": 20, "width": 4})


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(PROTOCOLS, "tiny", TINY)


def filled(protocol="source"):
    results = RecallResults(protocol, device="cpu", date="2026-01-01T00:00:00Z")
    results.add(
        RecallResult(model, length, seed, accuracy, accuracy / 2, 1.5)
        for model, length, accuracy in (("lstm", 4, 1.0), ("rnn", 8, 0.8), ("rnn", 4, 0.95))
        for seed in (1, 0)
    )
    return results


def test_points_gather_seeds_in_the_order_of_models_and_lengths():
    points = filled().points()
    assert [(point.model, point.length) for point in points] == [
        ("rnn", 4),
        ("rnn", 8),
        ("lstm", 4),
    ]
    assert points[1].accuracies == (0.8, 0.8)
    assert points[1].shuffled_accuracies == (0.4, 0.4)
    assert points[2].parameter_count == 86_784


def test_a_result_that_comes_again_replaces_the_old_one():
    results = filled()
    results.add([RecallResult("rnn", 8, 0, 0.6, 0.1, 1.0)])
    assert len(results) == 6
    assert results.points()[1].mean == pytest.approx(0.7)


def test_the_breaking_length_is_the_first_whose_mean_is_below():
    points = filled().points()
    assert breaking_length(points, "rnn") == 8
    assert breaking_length(points, "rnn", 0.96) == 4
    assert breaking_length(points, "lstm") is None


def test_chances_are_one_in_as_many_as_are_left():
    assert blind_chance(512, 12) == 1 / 500
    assert clockless_chance(12) == 1 / 12


def test_a_file_brings_back_what_was_saved(tmp_path):
    path = tmp_path / "recall.json"
    filled().save(path)
    again = RecallResults.load(path)
    assert again.points() == filled().points()
    assert (again.device, again.date, again.seconds) == ("cpu", "2026-01-01T00:00:00Z", 9.0)
    provenance = json.loads(path.read_text())
    assert provenance["settings"]["rnn"]["learning_rate"] == 0.1
    assert "torch" in provenance["versions"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "is missing: python -m lm_core experiment rnn-vs-lstm makes it"),
        ("{", "must be JSON"),
        ('{"schema": 9, "protocol": "source"}', "must have schema 1 .* got 9 and 'source'"),
        ('{"schema": 1, "protocol": "magic"}', ".* got 1 and 'magic'"),
        ('{"schema": 1, "protocol": "source", "columns": ["a"]}', "must have columns"),
    ],
)
def test_a_file_that_cannot_be_used_is_told_by_name(tmp_path, content, message):
    path = tmp_path / "recall.json"
    if content is not None:
        path.write_text(content)
    with pytest.raises(ResultError, match=f"recall.json {message}"):
        RecallResults.load(path)


@pytest.mark.parametrize("protocol", ["source", "gentle"])
def test_shipped_results_can_be_read_and_lie_between_0_and_1(protocol):
    points = RecallResults.load(results_path(protocol)).points()
    values = [a for p in points for a in (*p.accuracies, *p.shuffled_accuracies)]
    assert values
    assert all(0.0 <= value <= 1.0 for value in values)


def test_only_what_is_missing_is_trained():
    results = filled()
    batches = missing_batches(results, ["rnn", "lstm"], [4, 8], range(3))
    wanted = {(b.model, *network) for b in batches for network in b.networks}
    assert wanted == {("rnn", 4, 2), ("rnn", 8, 2), ("lstm", 4, 2)} | {
        ("lstm", 8, seed) for seed in range(3)
    }
    assert sum(len(b.networks) for b in batches) == len(wanted)


def test_the_command_fills_a_file_and_goes_on_where_it_stopped(tiny, tmp_path, capsys, monkeypatch):
    path = tmp_path / "out" / "recall.json"
    arguments = [
        "experiment",
        "rnn-vs-lstm",
        "--protocol",
        "tiny",
        "--out",
        str(path),
        "--device",
        "cpu",
    ]
    arguments += ["--models", "rnn", "lstm", "--lengths", "3", "5"]
    assert main([*arguments, "--seeds", "1"]) == 0
    assert len(RecallResults.load(path)) == 4
    trained = []
    train = command.train_batch
    monkeypatch.setattr(command, "train_batch", lambda s, d: trained.append(s) or train(s, d))
    assert main([*arguments, "--seeds", "2"]) == 0
    assert {seed for settings in trained for seed in settings.seeds} == {1}
    assert len(RecallResults.load(path)) == 8
    assert "LSTM" in capsys.readouterr().out


def test_the_command_refuses_lengths_out_of_range(tmp_path, capsys):
    arguments = ["experiment", "rnn-vs-lstm", "--lengths", "1", "--out", str(tmp_path / "x.json")]
    assert main(arguments) == 1
    assert "lengths must be between 2 and 128, got 1" in capsys.readouterr().err


# As a run -------------------------------------------------------------------------------------

RUN = recall_run(RecallSettings("gru", (3, 5), (1, 2), vocabulary=20, width=4, epochs=12))


def test_a_run_keeps_its_accuracies_and_goes_on_after_a_pause(tmp_path):
    run = RunFolder(tmp_path / "run")
    for step in train_here(run, RUN):
        if step.step == 5:
            break
    assert run.status().state is RunState.PAUSED
    *_, last = train_here(run, RUN)
    assert run.status().state is RunState.FINISHED
    lines = [json.loads(line) for line in run.metrics_file.read_text().splitlines()]
    assert [line["step"] for line in lines if line["accuracies"]] == [10, 12]
    document = json.loads((run.checkpoint / "results.json").read_text())
    kept = {(r["length"], r["seed"]): r["accuracy"] for r in document["results"]}
    networks = recall_settings(RUN).networks
    assert kept == pytest.approx(dict(zip(networks, last.accuracies, strict=True)), abs=1e-6)


def test_equal_settings_are_the_same_run_however_they_are_written():
    kind = kind_of(RUN)
    assert kind.settled(RUN).fingerprint() == RUN.fingerprint()
    again = recall_run(RecallSettings("gru", (5, 3), (1, 2), vocabulary=20, width=4, epochs=12))
    assert again.fingerprint() == RUN.fingerprint()
    other = recall_run(RecallSettings("gru", (5, 3), (1, 3), vocabulary=20, width=4, epochs=12))
    assert other.fingerprint() != RUN.fingerprint()


def test_the_size_of_a_run_is_that_of_all_its_networks():
    assert kind_of(RUN).parameter_count(RUN) == sum(recall_settings(RUN).parameter_counts)


def test_the_command_prints_the_table_of_the_shipped_results(capsys):
    assert main(["experiment", "rnn-vs-lstm", "--table"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len({line.count("|") for line in lines}) == 1
    [source] = [line for line in lines if line.startswith("| *Source's RNN")]
    assert "*0.831*" in source
    points = RecallResults.load(results_path("source")).points()
    [point] = [point for point in points if (point.model, point.length) == ("rnn", 14)]
    [row] = [line for line in lines if line.startswith("| RNN | 34,368 | source")]
    low, high = min(point.accuracies), max(point.accuracies)
    assert f"| {point.mean:.3f} ({low:.2f} to {high:.2f}) |" in row
