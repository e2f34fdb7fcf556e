"""A class's trainings: named, ranked, obedient to the room's presenter, and which text is whose."""

import json
import re
from types import SimpleNamespace

import pytest
import torch

from lm_core.classroom.records import Question
from lm_core.jobs import jobs
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from pages.shared.classroom.class_trainings import class_trainings
from pages.shared.rooms.store import store
from pages.shared.trainings import trainings
from pages.war_and_peace import class_round
from pages.war_and_peace.class_round import Round, best_of_class
from tests.core.small_runs import own_text_run
from tests.pages import visits
from tests.pages.shared.classroom.people import arrive_as, look_again, visitor, words

PAGE = "pages/war_and_peace/page.py"
TEXT = "Мама мыла раму, пока папа читал газету. " * 120
MARKUP = "**b** [x](http://e.org)"


pytestmark = pytest.mark.usefixtures("no_workers")


def config_of(seed, text=TEXT):
    return own_text_run(text, seed=seed, title=f"LSTM, seed {seed}")


def asked(who, seed, text=TEXT):
    """Ask for a training as a visit to a page does that is in a room."""
    room, alias = who
    config = config_of(seed, text)
    return jobs.submit(config, text, visitor=visitor(alias), room=room, alias=alias)


def looked_at(job, *losses, state=RunState.RUNNING):
    """Write down the held-out losses of a training, as its worker does."""
    rows = [
        {"step": 10 + i, "loss": 3.0, "seconds": 1.0, "validation_loss": loss}
        for i, loss in enumerate(losses)
    ]
    job.run.metrics_file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    job.run.update(state=state, step=10)
    trainings.known_jobs.clear()


def trained(code, alias, seed, text=TEXT):
    """Train a tiny model to its end, as the training of a student."""
    config = config_of(seed, text)
    run = RunFolder.keyed(config.fingerprint())
    for _ in train_here(run, config, text, torch.device("cpu")):
        pass
    run.update(room=code, alias=alias, visitor=visitor(alias))
    trainings.known_jobs.clear()
    return jobs.job(run.key)


def at_trainings(who, code, **more):
    return look_again(arrive_as(who, PAGE, room=code, view="Train your own", **more))


def at_texts(who, code, **more):
    return look_again(arrive_as(who, PAGE, room=code, view="Whose text?", **more))


def again(app):
    trainings.known_jobs.clear()
    return look_again(app)


# Names ----------------------------------------------------------------------------------------


def test_a_training_carries_the_alias_and_the_room_of_who_asked(code):
    app = at_trainings("student", code)
    app.text_area(key="training_pasted").set_value(TEXT).run()
    visits.press(app, "training_start")
    (job,) = jobs.jobs()
    alias = store().rooms.member(code, visitor("student")).alias
    assert (job.status.room, job.status.alias) == (code, alias)
    assert app.selectbox(key="job").options[0].startswith(f"{alias}: LSTM 1 x 256 on")


def test_each_student_begins_with_a_seed_of_their_own_that_no_link_carries(code):
    seeds = set()
    for who in ("one", "two", "three"):
        app = at_trainings(who, code, train_seed="7")
        app.text_area(key="training_pasted").set_value(TEXT).run()
        seeds.add(app.number_input(key="class_train_seed").value)
        assert "class_train_seed" not in app.session_state["lab_drawn"]
    assert len(seeds) == 3
    assert 7 not in seeds


def test_a_training_has_one_name_for_all_so_that_a_link_finds_it(code):
    job = asked((code, "Otter"), 1)
    inside = at_trainings("student", code).selectbox(key="job").options
    outside = visits.visit(PAGE, view="Train your own").selectbox(key="job").options
    assert inside == outside == [f"Otter: LSTM, seed 1 ({job.key[:4]})"]


def test_an_alias_is_text_and_never_markup(code):
    looked_at(asked((code, MARKUP), 1), 2.0)
    app = at_trainings("student", code)
    assert "\\*\\*b\\*\\* \\[x\\]" in words(app)
    assert MARKUP not in words(app)


def test_a_status_from_before_there_were_rooms_is_read(code):
    job = asked(("", ""), 1)
    file = job.run.path / "status.json"
    status = json.loads(file.read_text())
    del status["room"], status["alias"]
    file.write_text(json.dumps(status))
    assert (job.run.status().room, job.run.status().alias) == ("", "")


def test_a_resumed_training_keeps_its_name_and_room(code):
    job = asked((code, "Otter"), 1)
    jobs.pause(job.key)
    jobs.resume(job.key, visitor="teacher", is_presenter=True)
    assert (jobs.job(job.key).status.alias, jobs.job(job.key).status.room) == ("Otter", code)


# The ranking ----------------------------------------------------------------------------------


def test_a_class_is_ranked_by_the_last_loss_on_held_out_text(code):
    looked_at(asked((code, "Otter"), 1), 1.5, 2.5, state=RunState.PAUSED)
    looked_at(asked((code, "Lynx"), 2), 3.5, 1.75, None, state=RunState.FINISHED)
    asked((code, "Heron"), 3)
    looked_at(asked(("ZZZZ", "Stranger"), 4), 1.0)
    app = at_trainings("Otter", code)
    rows = visits.drawn_rows(app, "class_trainings_0")
    assert rows["name"].tolist() == ["1. Lynx", "2. Otter", "3. Heron"]
    assert rows["loss"].tolist() == [1.75, 2.5, 0.0]
    lynx, otter, heron = rows["text"]
    assert lynx.startswith("1.750 · LSTM")
    assert "◀ yours" in otter
    assert "paused at 17 %" in otter
    assert heron.startswith("waits")
    assert "yours" not in lynx + heron


def test_losses_on_different_texts_are_not_ranked_together(code):
    looked_at(asked((code, "Otter"), 1), 2.0)
    looked_at(asked((code, "Lynx"), 2), 3.0)
    looked_at(asked((code, "Heron"), 3, TEXT + "Она мыла. "), 1.0)
    app = at_trainings("student", code)
    assert visits.drawn_rows(app, "class_trainings_0")["name"].tolist() == ["1. Otter", "2. Lynx"]
    assert visits.drawn_rows(app, "class_trainings_alone")["name"].tolist() == ["Heron"]
    assert "not to be compared" in words(app)


def test_outside_a_room_nobody_is_ranked(code):
    looked_at(asked((code, "Otter"), 1), 2.0)
    assert "class_trainings_alone" not in visits.charts(visits.visit(PAGE, view="Train your own"))


def test_a_room_that_is_closed_still_shows_its_trainings(code):
    looked_at(asked((code, "Otter"), 1), 2.0, state=RunState.FINISHED)
    at_trainings("student", code)
    store().rooms.close(code, visitor("teacher"))
    assert "class_trainings_alone" in visits.charts(at_trainings("student", code))


def test_damaged_files_leave_a_training_out_or_without_a_loss(code):
    looked_at(asked((code, "Otter"), 1), 2.0)
    unread = asked((code, "Lynx"), 2)
    unread.run.metrics_file.write_text('{"step": 3, "validation_loss": "low"}\n{"step\n')
    (asked((code, "Heron"), 3).run.path / "status.json").write_text("{")
    app = at_trainings("student", code)
    assert visits.drawn_rows(app, "class_trainings_0")["name"].tolist() == ["1. Otter", "2. Lynx"]


# The presenter --------------------------------------------------------------------------------


def test_the_room_s_presenter_cancels_a_student_s_training_and_lets_it_go_on(code):
    job = asked((code, "Otter"), 1)
    teacher = at_trainings("teacher", code, job=job.key)
    visits.press(teacher, f"cancel_{job.key}")
    assert jobs.job(job.key).status.state is RunState.CANCELLED
    assert job.run.is_barred
    assert f"delete_{job.key}" not in {button.key for button in teacher.button}


@pytest.mark.parametrize(("who", "room"), [("student", None), ("teacher", "ZZZZ")])
def test_nobody_else_may(code, who, room):
    job = asked((room or code, "Otter"), 1)
    app = at_trainings(who, code, job=job.key)
    assert f"cancel_{job.key}" not in {button.key for button in app.button}


def test_thirty_students_of_one_address_each_have_a_place(code):
    for seed in range(30):
        name = f"student {seed}"
        config = config_of(seed)
        jobs.submit(config, TEXT, visitor=name, address="school", room=code, alias=name)
    assert len(class_trainings(code, "war_and_peace")) == 30


# Which text is whose? -------------------------------------------------------------------------


@pytest.fixture
def three(code):
    aliases = ("Otter", "Griffin", MARKUP)  # one is no animal that a visitor may be
    return {alias: trained(code, alias, seed) for seed, alias in enumerate(aliases)}


def headings(app):
    """Return what is written above the texts: a letter, and the name behind it once it is shown."""
    found = (re.match(r"\*\*([A-F](?: ·.*)?)\*\*", m.value) for m in app.markdown)
    return [heading[1] for heading in found if heading]


def texts(app):
    """Return the texts under their letters."""
    container = app.get_by_key("live_whose_text")
    return dict(zip("ABCDEF", [text.value for text in container.text], strict=False))


def test_the_models_of_a_class_write_under_letters_without_names(code, three):
    app = at_texts("student", code)
    assert headings(app) == ["A", "B", "C"]
    assert len(set(texts(app).values())) == 3
    assert all(len(text) > 100 for text in texts(app).values())
    assert "Griffin" not in words(app)
    assert texts(at_texts("other", code)) == texts(app)


def test_the_order_differs_from_room_to_room():
    rooms = [SimpleNamespace(code=f"BCD{letter}") for letter in "BCDHJKLM"]
    finished = [
        SimpleNamespace(state=RunState.FINISHED, visitor=str(i), key=str(i), is_open=True)
        for i in range(4)
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(class_round, "class_trainings", lambda code, kind: finished)
        orders = {best_of_class(room) for room in rooms}
    assert {tuple(sorted(order)) for order in orders} == {("0", "1", "2", "3")}
    assert len(orders) > 2


def test_each_student_has_their_best_model_there_and_six_have(code):
    for seed in range(8):
        looked_at(asked((code, f"s{seed}"), seed), 2.0 + seed, state=RunState.FINISHED)
    looked_at(asked((code, "s7"), 8), 1.0, state=RunState.FINISHED)
    looked_at(asked((code, "s9"), 9), 0.5)
    keys = best_of_class(SimpleNamespace(code=code))
    shown = {jobs.job(key).config.training["seed"] for key in keys}
    assert shown == {8, 0, 1, 2, 3, 4}


def test_the_presenter_asks_and_the_reveal_names_all(code, three):
    teacher, student = at_texts("teacher", code), at_texts("student", code)
    assert "whose_ask" not in {button.key for button in student.button}
    teacher.selectbox(key="whose_alias").set_value("Otter").run()
    visits.press(teacher, "whose_ask")
    asked_now = store().rooms.state(code).asked
    assert asked_now.question.text == "Which text did Otter's model write?"
    before = texts(again(student))
    assert headings(student) == ["A", "B", "C"]
    trained(code, "Late", 9)  # does not move the letters of a question that is asked
    assert texts(again(student)) == before
    right, wrong = asked_now.question.right, next(c for c in "ABC" if c != asked_now.question.right)
    store().rooms.join(code, visitor("other"))
    for who, said in (("student", wrong), ("other", wrong)):
        store().rooms.answer(code, visitor(who), asked_now.id, said)
    store().rooms.reveal(code, visitor("teacher"), asked_now.id)
    student = at_texts("student", code)
    named = headings(student)
    assert f"{right} · Otter" in named
    assert {name[4:] for name in named} >= {"Otter", "Griffin"}
    assert f"{right} · Otter** :material/check: · 0 guesses" in words(student)
    assert re.search(rf"{wrong} · .*\*\* · 2 guesses, yours", words(student))
    assert re.search(rf"{wrong} · .*\*\* · 2 guesses$", words(again(teacher)), re.MULTILINE)
    assert f"held-out loss {three['Otter'].run.held_out_loss():.3f}" in words(student)
    assert MARKUP not in words(student)
    assert "\\*\\*b" in words(student)


def test_what_a_student_types_does_not_change_the_texts_of_a_question(code, three):
    visits.press(at_texts("teacher", code), "whose_ask")
    student = at_texts("student", code)
    before = texts(student)
    student.text_input(key="prompt").set_value("Мама").run()
    assert texts(again(student)) == before


def test_the_presenter_may_show_the_names_without_a_question(code, three):
    teacher = at_texts("teacher", code)
    [toggle] = [toggle for toggle in teacher.toggle if str(toggle.key).startswith("whose_names")]
    toggle.set_value(True).run()
    assert {"Otter", "Griffin"} <= {heading[4:] for heading in headings(teacher)}
    assert "whose_names" not in str([toggle.key for toggle in at_texts("student", code).toggle])


def test_a_deleted_training_and_a_damaged_model_leave_the_others(code, three):
    visits.press(at_texts("teacher", code), "whose_ask")
    jobs.clean(three["Griffin"].key)
    (three["Otter"].run.checkpoint / "meta.json").write_text("{")
    student = again(at_texts("student", code))
    assert "its training was deleted" in words(student)
    assert len(texts(student)) == 1


def test_one_finished_model_is_not_enough(code):
    trained(code, "Otter", 1)
    assert "Once two students" in at_texts("student", code).info[0].value


def test_outside_a_room_the_view_is_not_there():
    assert "Whose text?" not in visits.visit(PAGE).segmented_control(key="view").options


@pytest.mark.parametrize("view", ["Whose text?", "Train your own"])
def test_the_projector_shows_the_class_in_place_of_the_page_s_own_text(code, three, view):
    app = at_texts("teacher", code, present="1") if view == "Whose text?" else None
    app = app or at_trainings("teacher", code, present="1")
    assert "writing_again" not in {button.key for button in app.button}
    if view == "Whose text?":
        assert headings(app) == ["A", "B", "C"]
    else:
        assert "nats a character" in app.get_by_key("live_class_trainings").markdown[0].value


def test_a_round_is_read_back_from_its_question():
    drawn = Round(("0" * 16, "f" * 16), "a & b=c? ü", 0.75, 3)
    assert Round.of(drawn.link()) == drawn


@pytest.mark.parametrize(
    "link",
    [
        "",
        "attention?writers=" + "0" * 16,
        "war-and-peace?writers=../../etc",
        "war-and-peace?writers=" + "0" * 16,
        "war-and-peace?prompt=a&temperature=x&seed=1&writers=" + "0" * 16,
    ],
)
def test_another_question_s_link_is_no_round(link):
    assert Round.of(link) is None


def test_a_question_from_before_it_had_links_is_read(code):
    room = store().rooms
    room.ask(code, visitor("teacher"), Question("choice", "One?", ("a", "b")))
    assert room.state(code).asked.question.link == ""
