"""Recall results: filled point by point, kept in a file with its provenance, made by a command."""

import json

import pytest

from lm_core.__main__ import main
from lm_core.experiments.rnn_vs_lstm import command
from lm_core.experiments.rnn_vs_lstm.experiment import recall_run, recall_settings
from lm_core.experiments.rnn_vs_lstm.results import (
    RecallPoint,
    RecallResult,
    RecallResults,
    Training,
)
from lm_core.experiments.rnn_vs_lstm.settings import (
    PROTOCOLS,
    RecallProtocol,
    RecallSettings,
    blind_chance,
    clockless_chance,
)
from lm_core.jobs.records import RunState
from lm_core.jobs.registry import kind_of
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder

TINY = RecallProtocol("tiny", {"epochs": 4, "learning_rate": 0.1, "vocabulary": 20, "width": 4})


@pytest.fixture
def tiny(monkeypatch):
    monkeypatch.setitem(PROTOCOLS, "tiny", TINY)


TRAINED = Training("2026-01-01T00:00:00Z", "cpu")


def filled():
    made = [
        RecallResult(backbone, length, seed, accuracy, accuracy / 2, 1.5)
        for backbone, length, accuracy in (("lstm", 4, 1.0), ("rnn", 8, 0.8), ("rnn", 4, 0.95))
        for seed in (1, 0)
    ]
    results = RecallResults({}, {}, {}).added("original", made, TRAINED)
    return results.added("clipped", [RecallResult("rnn", 8, 0, 1.0, 0.9, 2.0)], TRAINED)


def test_points_gather_seeds_in_the_order_of_backbones_and_lengths():
    points = filled().points("original")
    assert [(point.backbone, point.length) for point in points] == [
        ("rnn", 4),
        ("rnn", 8),
        ("lstm", 4),
    ]
    assert points[1].accuracies == (0.8, 0.8)
    assert points[1].shuffled_accuracies == (0.4, 0.4)
    assert points[2].parameter_count == 86_784


def test_a_result_that_comes_again_replaces_the_old_one():
    results = filled().added("original", [RecallResult("rnn", 8, 0, 0.6, 0.1, 1.0)], TRAINED)
    assert len(results.of_protocol("original")) == 6
    assert results.points("original")[1].mean == pytest.approx(0.7)
    assert results.points("clipped")[0].mean == 1.0


def test_the_breaking_length_is_the_first_whose_mean_is_below():
    points = filled().points("original")
    assert RecallPoint.shortest_below(points, "rnn") == 8
    assert RecallPoint.shortest_below(points, "rnn", 0.96) == 4
    assert RecallPoint.shortest_below(points, "lstm") is None


def test_chances_are_one_in_as_many_as_are_left():
    assert blind_chance(512, 12) == 1 / 500
    assert clockless_chance(12) == 1 / 12


def test_the_provenance_is_of_all_protocols():
    made = filled().provenance
    assert (made["device"], made["seconds"]) == ("cpu", 11.0)
    assert made["settings"]["original"]["learning_rate"] == 0.1


def test_an_unknown_protocol_is_refused_and_one_without_an_origin():
    results = filled().results
    for trained in ({"original": TRAINED}, {**filled().trained, "magic": TRAINED}):
        with pytest.raises(ValueError, match="protocols must be"):
            RecallResults({}, trained, {**results, **dict.fromkeys(trained, ())})


@pytest.mark.parametrize(("protocol", "networks"), [("original", 1480), ("clipped", 1540)])
def test_shipped_results_are_complete_and_lie_between_0_and_1(protocol, networks):
    results = RecallResults.load()
    points = results.points(protocol)
    values = [a for p in points for a in (*p.accuracies, *p.shuffled_accuracies)]
    assert len(results.of_protocol(protocol)) == networks
    assert len(values) == 2 * networks
    assert all(0.0 <= value <= 1.0 for value in values)


def test_only_what_is_missing_is_trained():
    results = filled()
    batches = results.missing("original", ["rnn", "lstm"], [4, 8], range(3))
    wanted = {(b.backbone, *network) for b in batches for network in b.networks}
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
    arguments += ["--backbones", "rnn", "lstm", "--lengths", "3", "5"]
    assert main([*arguments, "--seeds", "1"]) == 0
    assert len(RecallResults.load(path).of_protocol("tiny")) == 4
    trained = []
    train = command.train_batch
    monkeypatch.setattr(command, "train_batch", lambda s, d: trained.append(s) or train(s, d))
    assert main([*arguments, "--seeds", "2"]) == 0
    assert {seed for settings in trained for seed in settings.seeds} == {1}
    assert len(RecallResults.load(path).of_protocol("tiny")) == 8
    assert "backbone lstm" in capsys.readouterr().out


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
    [published] = [line for line in lines if line.startswith("| *Published RNN")]
    assert "*0.831*" in published
    points = RecallResults.load().points("original")
    [point] = [point for point in points if (point.backbone, point.length) == ("rnn", 14)]
    [row] = [line for line in lines if line.startswith("| RNN | 34,368 | original settings")]
    low, high = min(point.accuracies), max(point.accuracies)
    assert f"| {point.mean:.3f} ({low:.2f} to {high:.2f}) |" in row
