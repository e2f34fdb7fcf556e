"""The page as a visitor drives it: the numbers on screen after each gesture."""

import json

import pytest
import streamlit as st

from lm_core import results as record
from lm_core.experiments.rnn_vs_lstm.backbones import BACKBONES
from lm_core.experiments.rnn_vs_lstm.experiment import recall_run
from lm_core.experiments.rnn_vs_lstm.results import RecallResult, RecallResults, Training
from lm_core.experiments.rnn_vs_lstm.settings import PROTOCOLS, RecallSettings
from lm_core.jobs import jobs
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from pages.rnn_vs_lstm.accuracy import SHUFFLED, STYLES, TRAINED_ON, accuracy_chart
from pages.shared.charts.lines import Guesses
from pages.shared.trainings import trainings
from tests.pages.visits import alt, data, holds, numbers, shows, visit

PAGE = "pages/rnn_vs_lstm/page.py"
MEASURED = {4: 1.0, 12: 0.8, 18: 0.4, 50: 0.1}
TRAINED = Training("2026-01-01T00:00:00Z", "cpu")
CLIPPED = PROTOCOLS["clipped"].title


@pytest.fixture(autouse=True)
def own_results(no_workers, monkeypatch, tmp_path):
    """Results with round numbers, and a machine of the test's own."""
    monkeypatch.setattr(record, "RESULTS", tmp_path)
    results = RecallResults({}, {}, {})
    for protocol, gain in (("original", 0.0), ("clipped", 0.5)):
        for seed in range(3):
            for length, share in MEASURED.items():
                rnn = min(1.0, share + gain) - 0.01 * seed
                lstm = 0.55 if length == 50 else 1.0
                made = [
                    RecallResult("rnn", length, seed, rnn, 0.03, 1.0),
                    RecallResult("lstm", length, seed, lstm, 0.97, 1.0),
                    RecallResult("lstm-open", length, seed, 0.98, 0.96, 1.0),
                ]
                results = results.added(protocol, made, TRAINED)
    results.save()


def add(protocol, backbone, length, accuracy):
    """Replace three seeds of the shipped results."""
    results = RecallResults.load()
    made = [RecallResult(backbone, length, seed, accuracy, 0.0, 1.0) for seed in range(3)]
    results.added(protocol, made, TRAINED).save()
    st.cache_resource.clear()


def arrive(**asked):
    return visit(PAGE, **asked)


def words(app):
    return " ".join(block.value for block in app.markdown)


def guess(length):
    app = arrive()
    app.radio(key="guess_break").set_value(length).run()
    return app.button(key="reveal_break").click().run()


def answer(app):
    """The numbers of the answer: the share, where the LSTM and the RNN fall below it, their ratio."""
    return numbers(next(block.value for block in app.markdown if "**L =" in block.value))


def table_of(app):
    return next(d.value for d in app.dataframe if "Parameters" in d.value.columns)


def drawn(app):
    return list(dict.fromkeys(table_of(app)["Backbone"]))


def test_the_first_paint_shows_the_contrast_and_hides_only_where_the_lstm_breaks():
    app = arrive()
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert holds(alt(app, "recall_curve"), "RNN", 90, 12, "LSTM", 18)
    longest = data(app, "recall_curve").groupby("Backbone")["L"].max()
    assert longest.to_dict() == {"RNN": 50, "LSTM": 18}
    assert {"50", "It never does"} <= set(app.radio[0].options)


@pytest.mark.parametrize(("guessed", "verdict"), [("50", "green"), ("100", "orange")])
def test_a_guess_is_answered_with_the_measured_lengths(guessed, verdict):
    app = guess(guessed)
    assert answer(app) == [90, 50, 12]
    assert f":{verdict}-badge[" in words(app)
    assert data(app, "recall_curve").groupby("Backbone")["L"].max()["LSTM"] == 50


def test_the_title_and_the_words_say_the_numbers_on_screen():
    app = arrive(reveal="break")
    assert holds(alt(app, "recall_curve"), "RNN", 90, 12, "LSTM", 90, 50)
    assert shows(app, 18, 39, 38, 40, 3, 57.7)
    assert shows(app, "RNN", 3, "LSTM", 97, "open LSTM", 96)
    assert shows(app, "LSTM", 50, 55, "open LSTM", 98)
    app.segmented_control(key="lengths").set_value("4 to 18").run()
    assert holds(alt(app, "recall_curve"), "RNN", 90, 12, "LSTM", 18)


def test_another_training_shows_other_numbers():
    app = arrive(reveal="break")
    app.segmented_control(key="protocol").set_value("clipped").run()
    assert "**89.0 %**" in words(app)
    assert shows(app, 36, CLIPPED, 512, 300, 0.3, "cpu", 1)


def test_an_lstm_above_ninety_percent_is_not_said_to_fail():
    assert "**55.0 %**" in words(arrive(reveal="break", lengths="4 to 100", protocol=CLIPPED))
    add("clipped", "lstm", 50, 0.97)
    said = words(arrive(reveal="break", lengths="4 to 100", protocol=CLIPPED))
    assert holds(said, 97, 97, 97, 3)
    assert "**98.0 %**" not in said  # the open LSTM is the remedy of one that fails


def test_shuffled_sequences_have_their_own_accuracies():
    app = arrive(reveal="break", sequences=SHUFFLED)
    table = table_of(app)
    assert set(table[table["Backbone"] == "RNN"]["Mean"]) == {0.03}
    assert holds(alt(app, "recall_curve"), "RNN", 90, 4, "LSTM", 50)


def test_memory_and_counting_are_told_apart_in_a_picture_of_their_own():
    app = arrive(reveal="break")
    shares = data(app, "recall_shuffled").set_index("model")
    assert shares.loc["LSTM"].tolist() == pytest.approx([1.0, 0.97])
    assert shares.loc["RNN"].tolist() == pytest.approx([0.39, 0.03])
    assert holds(alt(app, "recall_shuffled"), 18, "RNN", 39, 3)


def test_backbones_can_be_chosen_and_none_is_no_error():
    app = arrive(reveal="break")
    app.pills(key="backbones").set_value(["lstm-open"]).run()
    assert drawn(app) == ["open LSTM"]
    app.pills(key="backbones").set_value([]).run()
    assert not app.exception
    assert not any("Parameters" in d.value.columns for d in app.dataframe)


def test_a_backbone_that_was_not_trained_so_is_named():
    app = arrive(reveal="break")
    app.pills(key="backbones").set_value(["rnn", "gru", "attention"]).run()
    assert any(holds(c.value, "GRU", "attention") for c in app.caption)
    app.pills(key="backbones").set_value(["rnn", "lstm-open"]).run()
    assert not any(holds(c.value, "open LSTM") for c in app.caption)


def test_the_table_has_parameters_and_the_published_figure():
    table = table_of(arrive(reveal="break"))
    row = table[(table["Backbone"] == "RNN") & (table["L"] == 18)].iloc[0]
    assert (row["Parameters"], row["Published"], row["Seeds"]) == (34_368, 0.5769, 3)
    assert (row["Lowest"], row["Mean"], row["Highest"]) == (0.38, 0.39, 0.4)


def test_a_matched_size_is_explained_where_all_three_are_measured():
    assert "86,624" not in words(arrive(reveal="break"))
    add("original", "rnn-wide", 18, 0.2)
    app = arrive(reveal="break")
    assert shows(app, 32, "RNN", 34_368, "LSTM", 86_784, 78, 86_624, 18, 20, 39, 100)


def test_missing_results_are_told_by_name():
    RecallResults.shipped().unlink()
    app = arrive(protocol=CLIPPED)
    assert not app.exception
    assert RecallResults.shipped().name in app.warning[0].value


def test_a_foreign_link_falls_back_with_a_note():
    app = arrive(protocol="magic", backbones="elephant")
    assert not app.exception
    assert len(app.warning) == 2
    assert "magic" in app.warning[0].value
    assert "elephant" in app.warning[1].value


# The chart ------------------------------------------------------------------------------------


def kinds(chart):
    return set(chart.data["kind"])


def test_the_chart_has_means_bands_chance_and_published_figures():
    points = RecallResults.load().points("original")
    chart = accuracy_chart([p for p in points if p.length <= 18], (4, 18))
    frame = chart.data
    lines, bands = frame[frame["kind"] == "line"], frame[frame["kind"] == "band"]
    at_18 = lines[(lines["name"] == "RNN") & (lines["x"] == 18)].iloc[0]
    assert at_18["y"] == pytest.approx(0.39)
    band = bands[(bands["name"] == "RNN") & (bands["x"] == 18)].iloc[0]
    assert (band["low"], band["high"]) == pytest.approx((0.38, 0.4))
    dots = frame[frame["kind"] == "dot"]
    assert {"published: RNN", "published: LSTM"} == set(dots["name"])
    assert 0.5769 in set(dots["y"])
    chances = frame[(frame["kind"] == "reference") & (frame["x"] == 4)]["y"]
    assert sorted(chances) == pytest.approx([1 / 508, 1 / 4])


def test_published_figures_are_left_out_where_they_do_not_compare():
    points = RecallResults.load().points("original")
    assert "dot" in kinds(accuracy_chart(points, (4, 100), judged_by=TRAINED_ON))
    assert "dot" not in kinds(accuracy_chart(points, (4, 100), judged_by=SHUFFLED))
    live = accuracy_chart(points, (4, 100), live={"GRU": [(4, 0.5)]})
    assert "dot" not in kinds(live)
    assert "ring" in kinds(live)


def test_a_guess_stays_drawn_where_it_was_put():
    points = RecallResults.load().points("original")
    assert "ring" not in kinds(accuracy_chart(points, (4, 100)))
    drawn = accuracy_chart(points, (4, 100), guess=Guesses((30.0, 0.9))).data
    guess = drawn[drawn["kind"] == "guess"].iloc[0]
    assert (guess["name"], guess["x"], guess["y"]) == ("your guess", 30, 0.9)


def test_every_backbone_has_a_style_of_its_own():
    assert [backbone.title for backbone in BACKBONES.values()] == list(STYLES)
    assert len(set(STYLES.values())) == len(STYLES)


# Training -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("train_lengths", "1", "lengths must be between 2 and 128, got 1"),
        ("train_lengths", "10000", "lengths must be between 2 and 128, got 10,000"),
        ("train_lengths", "four", "lengths must be whole numbers from 2 to 128"),
        ("train_width_rnn", 0, "width must be between 1 and 128, got 0"),
        ("train_seeds", 0, "seeds must be between 1 and 64, got 0"),
        ("train_epochs_original", 0, "epochs must be between 1 and 1,000, got 0"),
        (
            "train_learning_rate_original",
            7.0,
            "learning rate must be between 1e-05 and 1.0, got 7.0",
        ),
    ],
)
def test_settings_out_of_range_get_a_message_and_no_button(key, value, message):
    app = arrive()
    widgets = app.text_input if isinstance(value, str) else app.number_input
    next(w for w in widgets if w.key == key).set_value(value).run()
    assert not app.exception
    assert message in app.error[0].value
    assert "Train" not in {button.label for button in app.button}


def test_the_fields_offer_what_the_chosen_protocol_and_backbone_have():
    app = arrive()
    app.segmented_control(key="protocol").set_value("clipped").run()
    app.selectbox(key="train_backbone").set_value("rnn-wide").run()
    fields = {field.label: field.value for field in app.number_input}
    assert list(fields.values()) == [2, 78, 0.05, 0.3, 300]


def test_a_training_is_asked_for_once_and_everybody_sees_it():
    app = arrive().button(key="recall_train").click().run()
    (job,) = jobs.jobs()
    assert job.config.model["lengths"] == [4, 8, 12, 16]
    assert job.status.state is RunState.QUEUED
    assert "Cancel" in {button.label for button in app.button}
    trainings.known_jobs.clear()
    other = arrive()
    assert other.selectbox(key="job").value == job.key
    assert "Cancel" not in {button.label for button in other.button}


def test_a_finished_training_is_drawn_network_by_network():
    settings = RecallSettings("gru", (3, 6), (0,), vocabulary=24, width=6, epochs=12)
    run = RunFolder.keyed(recall_run(settings).fingerprint())
    *_, last = train_here(run, recall_run(settings))
    app = arrive()
    assert not app.exception
    assert "12 epochs" in words(app)
    table = next(d.value for d in app.dataframe if "Accuracy" in d.value.columns)
    assert table["Backbone"].unique().tolist() == ["GRU"]
    assert table["Accuracy"].tolist() == pytest.approx(list(last.accuracies))


def test_between_two_measurements_the_last_one_stays_on_screen():
    settings = RecallSettings("gru", (3, 6), (0,), vocabulary=24, width=6, epochs=20)
    run = RunFolder.keyed(recall_run(settings).fingerprint())
    for step in train_here(run, recall_run(settings)):
        if step.step == 12:
            break
    log = MetricsLogWriter(run.metrics_file)
    log.append({"step": 12, "loss": 1.0, "seconds": 1.0, "accuracies": None})
    log.close()
    app = arrive()
    assert not app.exception
    assert "10 epochs" in words(app)


def test_trainings_of_other_kinds_are_not_listed_here():
    settings = RecallSettings("gru", (3,), (0,), vocabulary=24, width=6, epochs=2)
    run = RunFolder.keyed(recall_run(settings).fingerprint())
    list(train_here(run, recall_run(settings)))
    assert json.loads((run.checkpoint / "results.json").read_text())["step"] == 2
    app = visit("pages/war_and_peace/page.py", view="Train your own")
    assert not [box for box in app.selectbox if box.key == "job"]
