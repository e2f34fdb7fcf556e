"""Training on the War and Peace page: who may start and stop what, and what comes of it."""

from contextlib import closing
from dataclasses import asdict
from itertools import islice
from types import SimpleNamespace

import pytest
import torch

from lm_core.experiments.war_and_peace.presets import PRESETS, fewest_characters, fitted
from lm_core.files import now
from lm_core.jobs import jobs
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import RunState, RunStatus
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from pages.shared import guesses
from pages.shared.trainings import trainings
from pages.shared.ui import visitor
from tests.core.small_runs import RECIPE, TEXT, own_text_run, small_config
from tests.pages.visits import data, drawn_rows, holds, press, shows
from tests.pages.war_and_peace.test_page import arrive, strip, text

RUSSIAN = "Мама мыла раму, пока папа читал газету. " * 120


@pytest.fixture(autouse=True)
def no_guesses(no_workers, monkeypatch):
    monkeypatch.setattr(visitor, "_GUESSES", guesses.Guesses())


@pytest.fixture
def page():
    return arrive(view="Train your own", text="Your own text")


def paste(app, content):
    return app.text_area(key="training_pasted").set_value(content).run()


def start(app):
    return app.button(key="training_start").click().run()


def offered(app, job):
    """Return what may be done with a job."""
    acts = ("pause", "cancel", "resume", "delete")
    keys = {button.key for button in app.button}
    return {act for act in acts if f"{act}_{job.key}" in keys}


def looked_at_again(app):
    trainings.known_jobs.clear()
    return app.run()


def trained(content=RUSSIAN, snapshot_steps=(), until=None):
    """Train a tiny model on a text to its end or to an earlier step, and return its job."""
    config = own_text_run(content, snapshot_steps=snapshot_steps)
    run = RunFolder.keyed(config.fingerprint())
    with closing(train_here(run, config, content, torch.device("cpu"))) as steps:
        for _ in islice(steps, until):
            pass
    return jobs.job(run.key)


# Before it starts -----------------------------------------------------------------------------


def test_where_the_book_is_absent_only_other_texts_are_offered(page):
    assert len(page.segmented_control(key="text").options) == 2
    assert not page.warning, "the visitor's own text is one of them"


def test_the_cost_is_told_before_the_start(page):
    paste(page, RUSSIAN)
    training = PRESETS["words"].training
    n_learned = training.steps * training.batch * training.window
    n_passes = float(f"{n_learned / len(RUSSIAN):.2g}")
    assert shows(page, float(f"{n_learned / 1e6:.3g}"), n_passes)
    assert shows(page, len(RUSSIAN), len(set(RUSSIAN)) + 1)


@pytest.mark.parametrize(
    ("content", "counted"),
    [
        ("too short", (2_500, 9)),
        ("\0" * 5_000, (5_000,)),
        ("".join(chr(0x4E00 + i % 3_000) for i in range(9_000)), (3_000,)),
    ],
)
def test_a_text_that_cannot_be_learned_is_refused_with_the_reason(page, content, counted):
    paste(page, content)
    assert holds(page.error[0].value, *counted)
    assert "training_start" not in {button.key for button in page.button}
    assert not page.exception


def test_too_little_text_for_a_large_model_is_said_before_the_start(page):
    paste(page, RUSSIAN)
    page.selectbox(key="recipe").set_value("wide").run()
    recipe = fitted(PRESETS["wide"], len(set(RUSSIAN)) + 1)
    assert holds(page.warning[0].value, recipe.title, fewest_characters(recipe), len(RUSSIAN))
    assert page.button(key="training_start").disabled


def test_the_steps_and_the_rate_that_were_chosen_are_trained(page):
    paste(page, RUSSIAN)
    page.select_slider(key="length").set_value(0.25).run()
    page.select_slider(key="rate").set_value(0.5).run()
    page.number_input(key="train_seed").set_value(7).run()
    start(page)
    (job,) = jobs.jobs()
    assert job.config.training["steps"] == round(PRESETS["words"].training.steps / 4)
    preset = PRESETS["words"].training
    assert job.config.training["learning_rate"] == pytest.approx(preset.learning_rate / 2)
    assert job.config.training["seed"] == 7
    assert job.config.model["vocabulary_size"] == len(set(RUSSIAN)) + 1
    assert job.run.text_file.read_text(encoding="utf-8") == RUSSIAN


def test_layers_and_width_that_were_chosen_are_trained_named_and_carried_by_the_link():
    chosen = {"train_layers": "3", "train_width": "64"}
    page = arrive(view="Train your own", text="Your own text", **chosen)
    paste(page, RUSSIAN)
    start(page)
    (job,) = jobs.jobs()
    assert (job.config.model["layers"], job.config.model["hidden_size"]) == (3, 64)
    assert job.config.title.startswith("LSTM 3 x 64 on")
    assert job.config.name == "words-3x64"
    assert job.config.training == asdict(PRESETS["words"].training)


def test_a_recipe_of_a_fixed_size_has_no_controls_of_it(page):
    paste(page, RUSSIAN)
    assert page.select_slider(key="train_layers").value == 1
    page.selectbox(key="recipe").set_value("better").run()
    assert "train_layers" not in {slider.key for slider in page.select_slider}


def test_a_training_is_named_by_its_settings_and_whose_it_is(page):
    paste(page, RUSSIAN)
    page.select_slider(key="length").set_value(0.25).run()
    page.number_input(key="train_seed").set_value(7).run()
    start(page)
    (job,) = jobs.jobs()
    other = arrive(view="Train your own", text="Your own text")
    preset = PRESETS["words"]
    settings = (preset.title, preset.training.steps / 4)
    assert holds(page.selectbox(key="job").options[0], *settings)
    assert shows(page, *settings, preset.training.learning_rate, 7)
    assert not holds(other.selectbox(key="job").options[0], *settings)
    page.button(key=f"cancel_{job.key}").click().run()
    assert past_trainings(looked_at_again(page))["Whose"].tolist() == ["yours"]


def past_trainings(app):
    """Return the table of the trainings that have ended."""
    return next(d.value for d in app.dataframe if "Key" in d.value.columns)


def test_a_megabyte_is_written_once_by_a_worker_for_everybody(page):
    page.segmented_control(key="text").set_value("Written by a model").run()
    page.button(key="training_write").click().run()
    (job,) = jobs.jobs()
    assert (job.config.experiment, job.status.state) == ("written_text", RunState.QUEUED)
    other = arrive(view="Train your own", text="Written by a model")
    for seen, may_cancel in ((page, True), (other, False)):
        assert len(seen.get("progress")) == 1
        keys = {button.key for button in seen.button}
        assert "training_write" not in keys
        assert ("training_write_cancel" in keys) is may_cancel
    job.run.checkpoint.mkdir(parents=True)
    (job.run.checkpoint / "text.txt").write_text("It is written. " * 999)
    job.run.update(state=RunState.FINISHED)
    for seen in (page, other):
        seen.run()
        assert shows(seen, 999 * len("It is written. "))
        assert not seen.button(key="training_start").disabled


def test_a_writing_that_was_cancelled_can_be_asked_for_again(page):
    page.segmented_control(key="text").set_value("Written by a model").run()
    page.button(key="training_write").click().run()
    page.button(key="training_write_cancel").click().run()
    assert jobs.jobs()[0].status.state is RunState.CANCELLED
    page.run()
    page.button(key="training_write").click().run()
    assert jobs.jobs()[0].status.state is RunState.QUEUED
    assert not page.exception


# While it runs --------------------------------------------------------------------------------


def test_everybody_sees_a_job_but_only_who_started_it_may_stop_it(page):
    start(paste(page, RUSSIAN))
    other = arrive(view="Train your own", text="Your own text")
    (job,) = jobs.jobs()
    for seen in (page, other):
        assert seen.selectbox(key="job").value == job.key
        assert "hourglass_empty" in seen.get("progress")[0].proto.text
    assert offered(page, job) == {"pause", "cancel"}
    assert offered(other, job) == set()


def test_the_presenter_may_stop_it_too_but_needs_the_code(page, monkeypatch):
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE", "samovar")
    start(paste(page, RUSSIAN))
    presenter = arrive(view="Train your own", text="Your own text")
    field = next(f for f in presenter.text_input if f.label == "Presenter's code")
    field.set_value("teapot")
    press(presenter, "presenter_unlock")
    assert len(presenter.error) == 1
    (job,) = jobs.jobs()
    assert offered(presenter, job) == set()
    next(f for f in presenter.text_input if f.label == "Presenter's code").set_value("samovar")
    press(presenter, "presenter_unlock")
    presenter.button(key=f"cancel_{job.key}").click().run()
    (job,) = jobs.jobs()
    assert job.status.state is RunState.CANCELLED


@pytest.fixture
def trains_again(monkeypatch):
    """A training of somebody else, then one of the visitor as whom all pages are opened from now on."""
    start(paste(arrive(view="Train your own", text="Your own text"), RUSSIAN))
    one = SimpleNamespace(token_hex=lambda n: "0f" * n)
    monkeypatch.setattr(visitor, "secrets", one)
    start(paste(arrive(view="Train your own", text="Your own text"), 2 * RUSSIAN))
    _, own = jobs.jobs()
    return own


def test_a_page_opened_again_shows_its_visitors_live_training(trains_again):
    again = arrive()
    assert again.selectbox(key="job").value == trains_again.key
    assert offered(again, trains_again) == {"pause", "cancel"}
    again.segmented_control(key="view").set_value(None).run()
    assert not holds_job(again)


def test_a_page_opened_again_keeps_what_its_link_asks_for(trains_again):
    first, _ = jobs.jobs()
    assert not holds_job(arrive(view="Models compared"))
    linked = arrive(view="Train your own", job=trainings.title_of(first))
    assert linked.selectbox(key="job").value == first.key


def test_another_visitors_training_opens_nothing(page):
    start(paste(page, RUSSIAN))
    assert not holds_job(arrive())


def holds_job(app):
    """Whether the trainings of the server are on the page."""
    return "job" in {choice.key for choice in app.selectbox}


def unlock(app, code):
    """Type a presenter's code, and return the page's answer to it."""
    next(f for f in app.text_input if f.label == "Presenter's code").set_value(code)
    return press(app, "presenter_unlock")


def test_what_the_presenter_cancelled_its_visitor_cannot_resume(page, monkeypatch):
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE", "samovar")
    start(paste(page, RUSSIAN))
    (job,) = jobs.jobs()
    presenter = unlock(arrive(view="Train your own", text="Your own text"), "samovar")
    presenter.button(key=f"cancel_{job.key}").click().run()
    assert not job.run.text_file.exists()
    job.run.keep_text(RUSSIAN)  # as a training from the catalogue needs none
    assert offered(looked_at_again(page), job) == {"delete"}
    assert offered(looked_at_again(presenter), job) == {"resume", "delete"}
    start(page)
    assert len(page.error) == 1
    presenter.button(key=f"resume_{job.key}").click().run()
    assert jobs.job(job.key).status.state is RunState.QUEUED
    assert offered(looked_at_again(page), job) == {"pause", "cancel"}


def test_a_cancelled_training_has_lost_the_text_and_can_be_deleted_altogether(page):
    start(paste(page, RUSSIAN))
    (job,) = jobs.jobs()
    page.button(key=f"cancel_{job.key}").click().run()
    assert not job.run.text_file.exists()
    assert offered(looked_at_again(page), job) == {"delete"}
    page.button(key=f"delete_{job.key}").click().run()
    assert not page.exception
    assert not page.warning
    assert not job.run.path.exists()
    assert jobs.jobs() == []


def test_five_wrong_codes_make_the_next_one_wait_even_the_right_one(page, monkeypatch):
    monkeypatch.setenv("LM_LAB_PRESENTER_CODE", "samovar")
    now = [1_000.0]
    monkeypatch.setattr(guesses.time, "monotonic", lambda: now[0])
    start(paste(page, RUSSIAN))
    (job,) = jobs.jobs()
    for _ in range(5):
        unlock(page, "teapot")
    presenter = arrive(view="Train your own", text="Your own text")
    assert holds(unlock(presenter, "samovar").error[0].value, 10)
    assert offered(presenter, job) == set()
    now[0] += 11.0
    unlock(presenter, "samovar")
    assert offered(presenter, job) == {"pause", "cancel"}


def test_a_second_training_of_the_same_visitor_is_refused(page):
    start(paste(page, RUSSIAN))
    page.number_input(key="train_seed").set_value(2).run()
    start(page)
    assert "a training in progress" in page.error[0].value
    assert "LM_LAB" not in page.error[0].value
    assert len(jobs.jobs()) == 1


def test_a_paused_training_can_be_resumed(page):
    start(paste(page, RUSSIAN))
    (job,) = jobs.jobs()
    page.button(key=f"pause_{job.key}").click().run()
    assert jobs.jobs()[0].status.state is RunState.PAUSED
    assert offered(looked_at_again(page), job) == {"resume", "delete"}
    other = arrive(view="Train your own", text="Your own text")
    assert offered(other, job) == set()
    page.button(key=f"resume_{job.key}").click().run()
    assert jobs.jobs()[0].status.state is RunState.QUEUED


def test_why_a_training_failed_is_said(page):
    config = small_config()
    why = "the loss is no longer a number: try a lower learning rate"
    status = RunStatus(RunState.FAILED, 60, message=why, ended_at=now(), visitor="somebody")
    RunFolder.keyed(config.fingerprint()).create(config, status, TEXT)
    looked_at_again(page)
    assert page.error[0].value == why
    assert offered(page, jobs.jobs()[0]) == set()
    assert not page.exception


# Afterwards -----------------------------------------------------------------------------------


def test_a_trained_model_is_put_on_the_desk_with_its_own_alphabet(page):
    job = trained()
    looked_at_again(page)
    assert "loss" in page.get("progress")[0].proto.text
    page.button(key=f"use_{job.key}").click().run()
    page.run()
    assert page.selectbox(key="model").value == trainings.name_of_model(job)
    assert not page.exception
    assert set(text(page)) <= set(RUSSIAN) | {"\N{REPLACEMENT CHARACTER}"}
    page.text_input(key="prompt").set_value("папа read").run()
    assert text(page).startswith("папа ")
    said = next(caption.value for caption in page.caption if caption.value.startswith("Read as"))
    assert said.startswith("Read as “папа ”, 5 characters. 4 characters are not in the vocabulary")
    assert said.endswith("the first is “r”.")


def test_a_trained_model_can_be_played_back_from_its_snapshots(page):
    job = trained(snapshot_steps=(5, 20))
    looked_at_again(page)
    page.button(key=f"use_{job.key}").click().run()
    page.run()
    slider = page.select_slider(key="snapshot")
    assert slider.options == ["5", "20", "60"]
    assert slider.value == RECIPE.training.steps
    at_the_end = text(page)
    slider.set_value(5).run()
    assert not page.exception
    assert text(page) != at_the_end
    page.button(key=f"use_{job.key}").click().run()
    page.run()
    assert text(page) == at_the_end
    page.segmented_control(key="view").set_value("During training").run()
    assert not page.exception
    assert list(data(page, "writing_learning")["characters_seen"]) == [
        steps * RECIPE.training.batch * RECIPE.training.window for steps in (5, 20, 60)
    ]


def test_a_training_that_was_stopped_keeps_the_snapshots_up_to_there(page):
    job = trained(snapshot_steps=(5, 20), until=30)
    assert job.status.state is RunState.PAUSED
    looked_at_again(page)
    page.button(key=f"use_{job.key}").click().run()
    page.segmented_control(key="view").set_value("During training").run()
    assert page.select_slider(key="snapshot").options == ["5", "20", "30"]
    assert not page.exception


def test_a_visitors_training_saves_a_few_snapshots_before_its_end(page):
    paste(page, RUSSIAN)
    page.select_slider(key="length").set_value(0.25).run()
    start(page)
    (job,) = jobs.jobs()
    assert job.config.snapshot_steps == (25, 80, 250)


def test_a_training_may_go_on_from_a_model_that_was_trained_here(page):
    job = trained()
    looked_at_again(page)
    page.button(key=f"use_{job.key}").click().run()
    page.toggle(key="continue").set_value(True).run()
    start(paste(page, RUSSIAN))
    assert not page.error
    (queued,) = (other for other in jobs.jobs() if other.key != job.key)
    assert queued.config.start == str(job.run.checkpoint)


def test_each_use_of_a_model_asks_the_browser_for_the_top_of_the_page(page):
    job = trained()
    looked_at_again(page)
    for n_used in (1, 2):
        page.button(key=f"use_{job.key}").click().run()
        page.run()
        assert strip(page, "training_page_top")["request"] == n_used


def test_past_trainings_are_listed_with_their_stamp(page):
    job = trained()
    looked_at_again(page)
    (row,) = past_trainings(page).to_dict("records")
    assert row["Key"] == job.key
    assert row["Steps"] == RECIPE.training.steps
    assert row["State"] == "finished"


def test_a_link_to_a_training_that_is_gone_says_so(page):
    trained()
    trainings.known_jobs.clear()
    other = arrive(view="Train your own", text="Your own text", job="0123456789abcdef")
    assert not other.exception
    assert "`0123456789abcdef`" in other.warning[0].value


def test_a_server_that_can_keep_no_trainings_writes_on_and_says_so(monkeypatch, tmp_path):
    in_the_way = tmp_path / "a file, no folder"
    in_the_way.touch()
    monkeypatch.setenv("LM_LAB_HOME", str(in_the_way / "home"))
    app = arrive(view="Train your own", text="Your own text")
    assert not app.exception
    assert any("LM_LAB_HOME" in error.value for error in app.error)
    paste(app, RUSSIAN)
    start(app)
    assert not app.exception


# What it wrote on its way -----------------------------------------------------------------------


def write_sample(job, step, text):
    with closing(MetricsLogWriter(job.run.samples_file)) as samples:
        samples.append({"step": step, "seconds": float(step), "text": text})


def test_what_a_training_wrote_on_its_way_can_be_gone_through_and_its_newest_is_followed():
    job = trained()
    last = job.run.last_sample()["step"]
    write_sample(job, last + 1, "the second sample")
    app = arrive(view="Train your own", job=job.key)
    slider = app.slider(key="sample")
    assert slider.value == slider.max >= 1
    assert "the second sample" in [element.value for element in app.text]
    write_sample(job, last + 2, "the third sample")
    app.run()
    assert app.slider(key="sample").value == slider.max + 1, (
        "the newest was looked at, and still is"
    )
    press(app, "sample_back")
    assert "the second sample" in [element.value for element in app.text]
    shown = drawn_rows(app, "training_curve")
    assert shown[shown["kind"] == "now"]["x"].tolist() == [last + 1]
    write_sample(job, last + 3, "the fourth sample")
    app.run()
    assert "the second sample" in [element.value for element in app.text]
