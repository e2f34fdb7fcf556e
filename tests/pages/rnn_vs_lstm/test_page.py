"""The recall page, driven without a browser: what is on screen after each gesture."""

import pytest
from streamlit.testing.v1 import AppTest

from lm_core.experiments.rnn_vs_lstm import results as results_module
from lm_core.experiments.rnn_vs_lstm.experiment import recall_run
from lm_core.experiments.rnn_vs_lstm.models import MODELS
from lm_core.experiments.rnn_vs_lstm.protocols import PROTOCOLS
from lm_core.experiments.rnn_vs_lstm.results import RecallResult, RecallResults
from lm_core.experiments.rnn_vs_lstm.settings import RecallSettings
from lm_core.jobs import jobs, queue
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from pages.shared.ui import trainings
from tests.conftest import ROOT
from tests.pages.visits import press, visit

PAGE = "pages/rnn_vs_lstm/page.py"
SEEN = {4: 1.0, 12: 0.8, 18: 0.4, 50: 0.1}


class Full:
    """A machine whose workers are all busy with something else."""

    def slots(self):
        return 0

    def is_on_its_way(self, run):
        return False


@pytest.fixture(autouse=True)
def own_results(monkeypatch, tmp_path):
    """Results with round numbers, and a machine of the test's own."""
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_DEVICE", "cpu")
    monkeypatch.setattr(queue, "chosen_launcher", Full)
    monkeypatch.setattr(results_module, "RESULTS", tmp_path)
    for protocol, gain in (("source", 0.0), ("gentle", 0.5)):
        results = RecallResults(protocol, device="cpu", date="2026-01-01T00:00:00Z")
        for seed in range(3):
            for length, share in SEEN.items():
                rnn = min(1.0, share + gain) - 0.01 * seed
                results.add([RecallResult("rnn", length, seed, rnn, 0.03, 1.0)])
                lstm = 0.55 if length == 50 else 1.0
                results.add([RecallResult("lstm", length, seed, lstm, 0.97, 1.0)])
                results.add([RecallResult("lstm-open", length, seed, 0.98, 0.96, 1.0)])
        results.save(tmp_path / f"recall-{protocol}.json")


def arrive(**asked):
    return visit(PAGE, **asked)


def words(app):
    return " ".join(block.value for block in app.markdown)


def networks_drawn(app):
    tables = (d.value for d in app.dataframe if "Parameters" in d.value.columns)
    return list(dict.fromkeys(next(tables)["Network"]))


def test_the_first_paint_asks_before_it_shows_the_rnn():
    app = arrive()
    assert not app.exception
    assert not app.error
    assert not app.warning
    assert networks_drawn(app) == ["LSTM"]
    assert "Predict" in app.radio[0].label


def test_a_guess_is_answered_with_the_measured_length():
    app = arrive()
    app.radio[0].set_value("16").run()
    press(app, "Reveal")
    assert "below 90% at: **L = 12**. You said 16." in words(app)
    assert networks_drawn(app) == ["RNN", "LSTM"]


def test_the_right_guess_is_told_so():
    app = arrive()
    app.radio[0].set_value("12").run()
    press(app, "Reveal")
    assert "You were right." in words(app)


def test_the_title_and_the_words_say_the_numbers_on_screen():
    app = arrive(reveal="break")
    assert "**RNN below 90% from L = 12; LSTM never, up to L = 18.**" in words(app)
    assert "recalls **39.0%** (38.0% to 40.0% over 3 seeds; the source reports 57.7%)" in words(app)
    assert "what is left: RNN 3.0%, LSTM 97.0%, open LSTM 96.0%." in words(app)
    app.segmented_control(key="span").set_value("4 to 100").run()
    assert "LSTM below 90% from L = 50" in words(app)
    assert "at L = 50 it recalls **55.0%**" in words(app)
    assert "it recalls **98.0%**" in words(app)


def test_another_training_shows_other_numbers():
    app = arrive(reveal="break")
    app.segmented_control(key="training").set_value("gentle").run()
    assert "recalls **89.0%**" in words(app)
    assert "largely its training" in words(app)
    assert "trained more gently · 512 symbols · 300 epochs, rate 0.05, clipped to 0.3" in " ".join(
        c.value for c in app.caption
    )


def test_an_lstm_that_holds_is_not_said_to_fail(tmp_path):
    path = tmp_path / "rnn-vs-lstm-gentle.json"
    results = RecallResults.load(path)
    results.add([RecallResult("lstm", 50, seed, 0.97, 0.5, 1.0) for seed in range(3)])
    results.save(path)
    app = arrive(reveal="break", span="4 to 100", training=PROTOCOLS["gentle"].title)
    assert "the LSTM still recalls **97.0%**" in words(app)
    assert "limits too" not in words(app)


def test_shuffled_sequences_are_judged_by_their_own_accuracies():
    app = arrive(reveal="break", judge="shuffled")
    table = next(d.value for d in app.dataframe if "Parameters" in d.value.columns)
    of_rnn = table[table["Network"] == "RNN"]
    assert set(of_rnn["Mean"]) == {0.03}
    assert "**Shuffled: RNN below 90% from L = 4; LSTM never, up to L = 18.**" in words(app)


def test_networks_can_be_chosen_and_none_is_no_error():
    app = arrive(reveal="break")
    app.pills(key="networks").set_value(["lstm-open"]).run()
    assert networks_drawn(app) == ["open LSTM"]
    app.pills(key="networks").set_value([]).run()
    assert not app.exception
    assert "Nothing measured here yet." in words(app)


def test_the_table_names_parameters_and_the_sources_figure():
    table = next(d.value for d in arrive(reveal="break").dataframe if "Source" in d.value.columns)
    row = table[(table["Network"] == "RNN") & (table["L"] == 18)].iloc[0]
    assert (row["Parameters"], row["Source"], row["Seeds"]) == (34_368, 0.5769, 3)
    assert (row["Lowest"], row["Mean"], row["Highest"]) == (0.38, 0.39, 0.4)


def test_what_a_matched_size_means_is_said_where_all_three_are_measured(tmp_path):
    assert "Is it size?" not in words(arrive(reveal="break"))
    path = tmp_path / "rnn-vs-lstm-source.json"
    results = RecallResults.load(path)
    results.add([RecallResult("rnn-wide", 18, seed, 0.2, 0.0, 1.0) for seed in range(3)])
    results.save(path)
    said = words(arrive(reveal="break"))
    assert "With 32 hidden units each, the RNN has 34,368 parameters and the LSTM 86,784" in said
    assert "matched to that: 78 units, 86,624 parameters" in said
    assert "At L = 18 it recalls 20.0%, the small one 39.0%, the LSTM 100.0%." in said


def test_missing_results_are_told_with_the_command(tmp_path):
    (tmp_path / "rnn-vs-lstm-gentle.json").unlink()
    app = arrive(training=PROTOCOLS["gentle"].title)
    assert not app.exception
    assert (
        "rnn-vs-lstm-gentle.json is missing: python -m lm_core experiment rnn-vs-lstm"
        in app.warning[0].value
    )


def test_a_foreign_link_falls_back_with_a_note():
    app = arrive(training="magic", networks="elephant")
    assert not app.exception
    assert all("which is not on offer here" in warning.value for warning in app.warning)
    assert len(app.warning) == 2


# Training -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("train_lengths", "1", "lengths must be between 2 and 128, got 1"),
        ("train_lengths", "10000", "lengths must be between 2 and 128, got 10,000"),
        ("train_lengths", "four", "lengths must be whole numbers from 2 to 128"),
        ("train_width_rnn", 0, "width must be between 1 and 128, got 0"),
        ("train_seeds", 0, "seeds must be between 1 and 64, got 0"),
        ("train_epochs_source", 0, "epochs must be between 1 and 1,000, got 0"),
        ("train_rate_source", 7.0, "learning rate must be between 1e-05 and 1.0, got 7.0"),
    ],
)
def test_settings_out_of_range_get_a_message_and_no_button(key, value, message):
    app = arrive()
    widgets = app.text_input if isinstance(value, str) else app.number_input
    next(w for w in widgets if w.key == key).set_value(value).run()
    assert not app.exception
    assert message in app.error[0].value
    assert "Train" not in {button.label for button in app.button}


def test_the_fields_offer_what_the_chosen_protocol_and_network_have():
    app = arrive()
    app.segmented_control(key="training").set_value("gentle").run()
    app.selectbox(key="train_model").set_value("rnn-wide").run()
    fields = {field.label: field.value for field in app.number_input}
    assert list(fields.values()) == [2, 78, 0.05, 0.3, 300]


def test_a_training_is_asked_for_once_and_everybody_sees_it():
    app = press(arrive(), "Train")
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
    assert "**After 12 epochs.**" in words(app)
    table = next(d.value for d in app.dataframe if set(d.value.columns) >= {"model", "accuracy"})
    assert table["model"].unique().tolist() == ["GRU"]
    assert table["accuracy"].tolist() == pytest.approx(list(last.accuracies))


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
    assert "**After 10 epochs.**" in words(app)


def test_trainings_of_other_kinds_are_not_listed_here():
    settings = RecallSettings("gru", (3,), (0,), vocabulary=24, width=6, epochs=2)
    run = RunFolder.keyed(recall_run(settings).fingerprint())
    list(train_here(run, recall_run(settings)))
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.query_params["look"] = "Train your own"
    app.switch_page("pages/war_and_peace/page.py").run()
    assert not app.exception
    assert "Nothing has been trained on this server yet." in [i.value for i in app.info]


def test_every_model_has_a_look_in_the_chart():
    from pages.shared.charts.recall import _LOOKS

    assert [model.title for model in MODELS.values()] == list(_LOOKS)
