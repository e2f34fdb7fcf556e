"""The room itself: opened, joined, renamed, taken over, exported, closed."""

import io
import json
import subprocess
import sys

import pandas as pd
import pytest

from lm_core.classroom.questions import parse_question
from pages.shared.classroom.answers_file import answers_frame
from pages.shared.csv_files import safe_csv
from pages.shared.guesses import Guesses
from pages.shared.rooms.store import store
from tests.conftest import ROOT
from tests.pages.shared.classroom import people


@pytest.fixture
def room():
    return people.opened()


def test_an_unknown_code_is_named_and_can_be_left():
    app = people.look_again(people.arrive_as("student", people.HOME, room="XXXX"))
    assert "there is no room XXXX" in people.words(app)
    app.button(key="class_leave_unknown").click().run()
    assert "there is no room" not in people.words(app)
    assert "room" not in app.query_params


@pytest.mark.parametrize(
    "code", ["<b>KRTP</b>", "K" * 10_000, "; DROP TABLE rooms", "🦦🦦🦦🦦", "%00"]
)
def test_whatever_an_address_names_as_a_room_is_only_a_code(code):
    app = people.look_again(people.arrive_as("student", people.HOME, room=code))
    assert not app.exception
    assert "<b>" not in people.words(app)


def test_a_closed_room_says_so_to_its_members_and_to_strangers(room):
    student = people.arrive_as("student", people.HOME, room=room.code)
    store().rooms.close(room.code, people.visitor("teacher"))
    assert "The class is over" in people.words(people.look_again(student))
    assert "is closed" in people.words(
        people.look_again(people.arrive_as("stranger", people.HOME, room=room.code))
    )


def test_who_comes_back_is_the_same_member(room):
    student = people.arrive_as("student", people.HOME, room=room.code)
    alias = store().rooms.member(room.code, people.visitor("student")).alias
    assert alias in people.words(student)
    assert alias in people.words(people.arrive_as("student", people.RECALL, room=room.code))
    assert store().rooms.state(room.code).member_count == 1


def test_who_presented_on_a_shared_computer_can_be_forgotten_there(room):
    app = people.arrive_as("teacher", people.RECALL, room=room.code)
    app.session_state["class_panel_0"] = True
    app.run()
    app.toggle(key="class_forget").set_value(True).run()
    app.button(key="class_leave").click().run()
    assert "room" not in app.query_params
    told = [json.loads(each.proto.json).get("forgotten") for each in app.get("bidi_component")]
    assert "teacher" in told, "the browser is told which number to forget"


def test_the_room_stays_in_the_link_of_the_next_page(room):
    student = people.arrive_as("student", people.RECALL, room=room.code)
    student.switch_page(people.HOME).run()
    assert room.code in student.query_params["room"]


def test_a_database_that_does_not_answer_is_named_and_the_page_goes_on(monkeypatch, room):
    monkeypatch.setenv("LM_LAB_DATABASE", "mysql://root@localhost/x")
    app = people.arrive_as("student", people.RECALL, room=room.code)
    assert "LM_LAB_DATABASE" in people.words(app)
    assert "RNN and LSTM" in app.title[0].value


def test_an_exported_table_holds_every_answer_and_no_formula(room):
    rooms = store().rooms
    rooms.join(room.code, people.visitor("student"))
    rooms.rename(room.code, people.visitor("student"), "=1+1")
    asked = rooms.ask(room.code, people.visitor("teacher"), parse_question("Which word?"))
    rooms.answer(room.code, people.visitor("student"), asked.id, "@SUM(A1)")
    number = rooms.ask(room.code, people.visitor("teacher"), parse_question("How many? -5..5 = -3"))
    rooms.answer(room.code, people.visitor("student"), number.id, "-3")
    rooms.close(room.code, people.visitor("teacher"))
    frame = answers_frame(rooms.all_answers(room.code, people.visitor("teacher")))
    read = pd.read_csv(io.StringIO(safe_csv(frame)), dtype=str)
    assert read["name"].tolist() == ["'=1+1"] * 2
    assert read["answer"].tolist() == ["'@SUM(A1)", "-3"]
    assert read["right"].fillna("").tolist() == ["", "-3"]
    assert read["options"].fillna("").tolist() == ["", "'-5..5"]


def test_a_server_without_a_class_never_reads_the_database_s_library():
    source = "import sys, pages.shared.ui.lesson; print('sqlalchemy' in sys.modules)"
    command = [sys.executable, "-c", source]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.strip() == "False"


def open_panel(app):
    """Open what the Class button opens."""
    app.session_state["class_panel_0"] = True
    return app.run()


def test_a_room_is_opened_on_any_page():
    app = open_panel(people.arrive_as("teacher", people.RECALL))
    app.button(key="class_open").click().run()
    assert not app.exception
    code = app.session_state["lab_room"]
    assert store().rooms.state(code).member_count == 0
    assert f"/join?code={code}" in "\n".join(element.value for element in app.code)


def test_rooms_are_opened_from_one_place_at_a_bounded_pace(monkeypatch):
    monkeypatch.setattr("pages.shared.classroom.panel.address", lambda: "elsewhere")
    monkeypatch.setattr("pages.shared.classroom.panel._OPENINGS", Guesses(every_s=3_600.0))
    for i in range(6):
        app = open_panel(people.arrive_as(f"teacher {i}", people.RECALL))
        app.button(key="class_open").click().run()
    assert "Press the button again in 10 s" in people.words(app)
    assert "lab_room" not in app.session_state
