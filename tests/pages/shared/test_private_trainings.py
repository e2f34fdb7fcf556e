"""Trainings on a visitor's own text: nobody else learns more of them than how far they have come."""

import json
from contextlib import closing
from types import SimpleNamespace
from urllib.parse import parse_qsl

import pytest

from lm_core.jobs import jobs
from lm_core.jobs.metrics_log import MetricsLogWriter
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from pages.shared.registry import PAGES
from pages.shared.rooms.store import store as classroom
from pages.shared.server.visitor_store import visitor_store
from pages.shared.trainings import trainings
from pages.shared.trainings.training_links import _PARTS, link_of
from pages.shared.trainings.trainings import name_of_model, title_of
from pages.war_and_peace import class_round
from tests.conftest import ROOT
from tests.core.small_runs import own_text_run
from tests.pages.shared.classroom.people import arrive_as, opened, visitor
from tests.pages.visits import press, text

PATHS = {spec.address: spec.path for spec in PAGES}
SECRET = "The password of the vault is XYZZY-4711 and Anna loves Bert. " * 60
TALE = "the wolf ate the little goat and the old goat wept in the house by the wood . " * 30
VIEW = {"view": "Train your own", "text": "Your own text"}


pytestmark = pytest.mark.usefixtures("no_workers")


def asked_for(who, content=SECRET, **asked):
    """Ask for a small training on a text of a visitor's own."""
    config = own_text_run(content, title="Tiny on a text of one's own")
    trainings.known_jobs.clear()
    return jobs.submit(config, content, visitor=visitor(who), is_private=True, **asked)


def finished(job):
    """Carry a training out in this process, with something written that holds the secret."""
    list(train_here(job.run, job.config))
    written(job)
    with closing(MetricsLogWriter(job.run.metrics_file)) as log:
        log.append({"step": 60, "loss": 2.5, "seconds": 1.0, "validation_loss": 2.5})
    trainings.known_jobs.clear()
    return jobs.job(job.key)


def written(job):
    with closing(MetricsLogWriter(job.run.samples_file)) as log:
        log.append({"step": 60, "seconds": 1.0, "text": SECRET[:60]})


def all_words(app):
    """Return all that a page says or offers."""
    shown = [element.value for element in app.text]
    options = [str(option) for box in app.selectbox for option in box.options]
    bars = [bar.proto.text for bar in app.get("progress")]
    tables = [frame.value.to_string() for frame in app.dataframe]
    return "\n".join([text(app), *shown, *options, *bars, *tables])


def may_download(app, job):
    return f"download_{job.key}" in {button.key for button in app.get("download_button")}


@pytest.fixture
def running():
    """A training on Anna's text that somebody is at, after 24 of its 60 steps."""
    job = asked_for("anna")
    with closing(MetricsLogWriter(job.run.metrics_file)) as log:
        log.append({"step": 24, "loss": 2.5, "seconds": 1.0, "validation_loss": None})
    written(job)
    with job.run.own():
        job.run.update(state=RunState.RUNNING)
        trainings.known_jobs.clear()
        yield job


def test_the_owner_sees_what_it_writes_and_others_how_far_it_has_come(running):
    own = all_words(arrive_as("anna", PATHS["war-and-peace"], **VIEW))
    for told in ("XYZZY", "Tiny", "loss 2.500"):
        assert told in own
    for asked in ({}, {"job": running.key}, {"job": title_of(running)}):
        others = all_words(arrive_as("boris", PATHS["war-and-peace"], **VIEW, **asked))
        assert "A private training, 40 % done" in others
        for told in ("XYZZY", "Tiny", "loss 2.500"):
            assert told not in others


def test_nobody_else_finds_a_finished_one_nor_its_model_also_by_a_direct_link():
    job = finished(asked_for("anna"))
    own = arrive_as("anna", PATHS["war-and-peace"], **VIEW)
    assert "XYZZY" in all_words(own)
    assert may_download(own, job)
    name = name_of_model(job)
    for page in ("war-and-peace", "surprisal"):
        assert name in finished_models_of(arrive_as("anna", PATHS[page]))
        for asked in ({}, {"model": name}, {"model": "Tiny on a text of one's own"}):
            other = arrive_as("boris", PATHS[page], **asked)
            assert name not in finished_models_of(other)
            assert "Tiny on" not in all_words(other)
    other = arrive_as("boris", PATHS["war-and-peace"], **VIEW, job=job.key)
    assert "XYZZY" not in all_words(other)
    assert not may_download(other, job)


def finished_models_of(app):
    """Return the names among which a page's model may be chosen."""
    box = app.selectbox(key="model")
    return [name for name in (f"run-{j.key}" for j in jobs.jobs()) if name_offered(box, name)]


def name_offered(box, name):
    key = name.removeprefix("run-")[:4]
    return any(f"({key})" in str(option) for option in box.options)


def in_class(code, who):
    """Let a visitor join a class, and return their name in it."""
    return classroom().rooms.join(code, visitor(who)).alias


@pytest.mark.parametrize("is_shared", [False, True])
def test_a_class_sees_the_loss_and_only_if_the_student_says_so_the_text(is_shared):
    code = opened().code
    alias = in_class(code, "anna")
    in_class(code, "boris")
    job = finished(asked_for("anna", room=code, alias=alias, is_shared=is_shared))
    mate = arrive_as("boris", PATHS["war-and-peace"], **VIEW, room=code)
    mate.run()
    seen = all_words(mate)
    assert alias in seen
    assert ("XYZZY" in seen) is is_shared
    assert may_download(mate, job) is is_shared
    stranger = arrive_as("clara", PATHS["war-and-peace"], **VIEW)
    assert "XYZZY" not in all_words(stranger)


def test_whose_text_compares_only_what_its_students_share():
    code = opened().code
    keys = {}
    for who, is_shared in (("anna", False), ("boris", True), ("clara", True)):
        alias = in_class(code, who)
        content = f"{who} {SECRET}"
        job = asked_for(who, content, room=code, alias=alias, is_shared=is_shared)
        keys[who] = finished(job).key
    here = SimpleNamespace(code=code)
    assert set(class_round.best_of_class(here)) == {keys["boris"], keys["clara"]}
    drawn = class_round.Round(tuple(keys.values()), "The ", 0.5, 1)
    assert {panel.job.key for panel in class_round.written_by(here, drawn)} <= {
        keys["boris"],
        keys["clara"],
    }


def test_a_training_that_starts_from_a_private_model_is_private_too():
    job = finished(asked_for("anna"))
    assert trainings.is_private_model(name_of_model(job))
    assert trainings.is_private_model(f"{name_of_model(job)}-step-10")
    assert not trainings.is_private_model("book-lstm")
    assert not trainings.is_private_model(None)


def test_a_text_that_is_pasted_and_trained_is_private_from_the_form_on():
    app = arrive_as("anna", PATHS["war-and-peace"], **VIEW)
    app.text_area(key="training_pasted").set_value(SECRET).run()
    press(app, "training_start")
    (job,) = jobs.jobs()
    assert job.config.owner == visitor("anna")
    assert "XYZZY" not in job.config.title
    press(app, f"cancel_{job.key}")
    on_disk = b"".join(p.read_bytes() for p in job.run.path.rglob("*") if p.is_file())
    assert b"XYZZY" not in on_disk


def test_the_names_of_files_are_in_no_title_and_no_link():
    app = arrive_as("anna", PATHS["war-and-peace"], **VIEW)
    file = ("my secret diary.txt", SECRET.encode(), "text/plain")
    app.get("file_uploader")[0].set_value(file).run()
    press(app, "training_start")
    (job,) = jobs.jobs()
    assert "diary" not in title_of(job)
    assert "diary" not in str(dict(app.query_params))


def test_an_encoding_that_nobody_can_guess_is_chosen_by_what_reads_well():
    russian = "Мельник пошёл к реке и сказал: хороший день.\n" * 80
    app = arrive_as("anna", PATHS["war-and-peace"], **VIEW)
    file = ("book.txt", russian.encode("cp1251"), "text/plain")
    app.get("file_uploader")[0].set_value(file).run()
    assert "could not be recognised" in app.error[0].value
    choice = app.selectbox(key="training_encoding")
    assert any("Windows-1251" in option and "Мельник" in option for option in choice.options)
    choice.set_value("cp1251").run()
    assert not app.error
    assert any("Read as a text in Windows-1251" in caption.value for caption in app.caption)


# My work --------------------------------------------------------------------------------------


def work_of(who, page="tokenization", **asked):
    """Open *My work* on a page."""
    app = arrive_as(who, PATHS[page], **asked)
    app.session_state["my_work"] = True
    app.run()
    assert not app.exception
    return app


def test_my_work_has_ones_own_trainings_on_every_page_and_nobody_elses():
    job = asked_for("anna")
    asked_for("boris")
    for page in ("tokenization", "clustering", "about"):
        app = work_of("anna", page)
        keys = {button.key for button in app.button}
        assert {f"mine_{act}_{job.key}" for act in ("show", "pause", "cancel")} <= keys
        assert sum(key.startswith("mine_show_") for key in keys if key) == 1
    assert "You have started no training" in text(work_of("clara"))


def test_a_training_is_stopped_deleted_and_brought_back_from_my_work():
    job = asked_for("anna")
    app = work_of("anna")
    press(app, f"mine_cancel_{job.key}")
    assert jobs.job(job.key).status.state is RunState.CANCELLED
    press(app, f"mine_delete_{job.key}")
    assert not job.run.path.exists()
    assert f"mine_undo_{job.key}" not in {b.key for b in work_of("boris").button}
    press(app, f"mine_undo_{job.key}")
    assert jobs.job(job.key).status.state is RunState.CANCELLED


def test_what_is_kept_is_forgotten_from_my_work():
    app = arrive_as("anna", PATHS["surprisal"], text="Your own")
    app.text_area(key="own_text").set_value("My own sentence is here.").run()
    assert visitor_store().entries(visitor("anna"))
    app.session_state["my_work"] = True
    press(app.run(), "my_work_forget")
    app.run()
    assert not visitor_store().entries(visitor("anna")), "the field on screen does not keep it anew"
    app.text_area(key="own_text").set_value("Another sentence of mine.").run()
    assert visitor_store().entries(visitor("anna"))


def test_who_is_forgotten_leaves_nothing_of_their_own():
    private, other = finished(asked_for("anna")), finished(asked_for("boris"))
    app = arrive_as("anna", PATHS["surprisal"], text="Your own")
    app.text_area(key="own_text").set_value("My own sentence is here.").run()
    app.session_state["my_work"] = True
    press(app.run(), "my_work_forget_me")
    assert not app.exception
    assert not visitor_store().has(visitor("anna"))
    assert not private.run.path.exists()
    assert other.run.path.exists()
    told = [json.loads(each.proto.json).get("forgotten") for each in app.get("bidi_component")]
    assert "anna" in told, "the browser is told which number to forget"
    assert not visitor_store().entries(visitor("anna")), "what is on screen is not kept anew"


def test_who_is_forgotten_leaves_no_training_that_still_waited():
    job = asked_for("anna")
    press(work_of("anna"), "my_work_forget_me")
    assert not job.run.path.exists()


def test_a_refusal_leads_to_the_training_that_holds_the_place():
    job = asked_for("anna")
    app = arrive_as("anna", PATHS["word2vec"], text="Your own", least="1")
    app.text_area(key="own_text").set_value(TALE).run()
    press(app, "vectors_train")
    refused = "".join(error.value for error in app.error)
    assert "a training in progress" in refused
    assert "LM_LAB" not in refused
    press(app, "training_in_the_way")
    assert not app.exception
    assert app.selectbox(key="job").value == job.key


@pytest.mark.parametrize("name", sorted(_PARTS))
def test_every_kind_of_training_has_a_page_that_exists(name):
    address, _ = _PARTS[name]
    assert address in PATHS


def test_every_kind_of_training_has_its_place():
    modules = (ROOT / "lm_core/experiments").glob("*/experiment.py")
    kinds = {path.parent.name for path in modules if "register(" in path.read_text("utf-8")}
    assert set(_PARTS) == kinds


def test_a_training_of_word_vectors_is_found_again_after_a_reload_and_by_its_link():
    asked = {"text": "Your own", "least": "1", "epochs": "2"}
    app = arrive_as("anna", PATHS["word2vec"], **asked)
    app.text_area(key="own_text").set_value(TALE).run()
    press(app, "vectors_train")
    (job,) = jobs.jobs()
    reloaded = arrive_as("anna", PATHS["word2vec"], **asked)
    assert "vectors_stop" in {button.key for button in reloaded.button}
    by_link = arrive_as(
        "anna", PATHS["word2vec"], **dict(parse_qsl(link_of(job).partition("?")[2]))
    )
    assert not by_link.warning
    assert "vectors_stop" in {button.key for button in by_link.button}
    assert "vectors_stop" not in {
        button.key for button in arrive_as("boris", PATHS["word2vec"], **asked).button
    }
