"""A class's bars are drawn anew when something new concerns them, and only then."""

from types import SimpleNamespace

import pytest
from streamlit.proto.ClientState_pb2 import ClientState

from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import Place
from lm_core.classroom.rooms import Rooms
from lm_core.errors import DatabaseError
from pages.shared.rooms.membership import Membership
from pages.shared.rooms.store import store
from pages.shared.rooms.watch import RoomWatch, WatchedBar, concern
from pages.shared.server.streamlit_inside import pushed_runs
from pages.shared.server.streamlit_inside.pushed_runs import DrawnFragment
from tests.pages.shared.classroom.people import opened, visitor


def member(code, who):
    if who == "teacher":
        joined = store().rooms.member(code, visitor(who))
    else:
        joined = store().rooms.join(code, visitor(who))
    return Membership(code, visitor(who), joined)


class Class:
    """A room, a watch, and pages that say what became of them."""

    def __init__(self):
        self.code = opened().code
        self.open, self.drawn, self.noted = set(), [], []
        self.watch = RoomWatch(
            self.open.__contains__,
            lambda drawn: self.drawn.append(drawn.session),
            lambda code, who: self.noted.append((code, who)),
        )

    def draw(self, who):
        """Draw the bar of a member on a page of theirs."""
        here = member(self.code, who)
        store().states.forget(self.code)
        self.open.add(who)
        self.watch.keep(WatchedBar(DrawnFragment(who, "bar", "page"), here, concern(here)))
        return here

    def asked_to_draw(self):
        """Return whose bars are drawn anew at the next look."""
        self.drawn.clear()
        store().states.forget(self.code)
        self.watch.refresh()
        return sorted(self.drawn)


@pytest.fixture
def school():
    school = Class()
    school.teacher, school.student = school.draw("teacher"), school.draw("student")
    school.draw("teacher")  # who has seen that a student came
    return school


def test_where_nothing_changes_nothing_is_drawn(school):
    assert [school.asked_to_draw() for _ in range(3)] == [[], [], []]


def test_a_question_concerns_all_and_an_answer_only_who_counts_them(school):
    asked = store().rooms.ask(school.code, visitor("teacher"), parse_question("Which? | A | B"))
    assert school.asked_to_draw() == ["student", "teacher"]
    school.draw("teacher"), school.draw("student")
    assert school.asked_to_draw() == []
    store().rooms.answer(school.code, visitor("student"), asked.id, "A")
    assert school.asked_to_draw() == ["teacher"]
    school.draw("teacher")
    store().rooms.reveal(school.code, visitor("teacher"), asked.id)
    assert school.asked_to_draw() == ["student", "teacher"]


def test_a_bar_that_could_not_be_drawn_is_asked_for_again(school):
    store().rooms.lead(school.code, visitor("teacher"), Place("attention", {}))
    assert school.asked_to_draw() == school.asked_to_draw() == ["student", "teacher"]


def test_what_is_wrong_with_one_bar_silences_no_other(school, caplog):
    broken = WatchedBar(DrawnFragment("broken", "bar", "page"), None, "")
    for first in ("broken", "teacher"):  # whichever is looked at first
        school.watch.forget("broken")
        school.watch.forget("teacher")
        school.open.add("broken")
        for who in (first, *({"broken", "teacher"} - {first})):
            school.watch.keep(broken) if who == "broken" else school.draw("teacher")
        school.draw("student")
        store().rooms.lead(school.code, visitor("teacher"), Place("attention", {"n": [first]}))
        assert school.asked_to_draw() == ["student", "teacher"]
        assert "A look at a class room's bar failed" in caplog.text


def test_a_presenter_who_moves_something_leads_by_their_bar_and_a_student_does_not(school):
    for who in ("teacher", "student"):
        school.watch.note_act(who, "bar")
    assert school.asked_to_draw() == []
    for who in ("teacher", "student", "somebody outside"):
        school.watch.note_act(who)
        school.watch.note_act(who, "picture")
    assert school.asked_to_draw() == ["teacher"]
    school.draw("teacher")
    assert school.asked_to_draw() == []


def test_a_student_s_bar_says_what_was_answered_in_the_picture(school):
    asked = store().rooms.ask(school.code, visitor("teacher"), parse_question("Which? | A | B"))
    school.draw("teacher"), school.draw("student")
    school.watch.note_act("student", "picture")
    assert school.asked_to_draw() == ["student"]
    store().rooms.reveal(school.code, visitor("teacher"), asked.id)
    school.draw("teacher"), school.draw("student")
    school.watch.note_act("student", "picture")
    assert school.asked_to_draw() == []


def test_who_has_a_page_open_is_noted_and_who_has_closed_it_or_left_is_not(school):
    school.watch.refresh()
    assert {who for _, who in school.noted} == {school.teacher.member.id, school.student.member.id}
    school.open.remove("student")
    school.noted.clear()
    school.watch.refresh()
    assert {who for _, who in school.noted} == {school.teacher.member.id}
    school.watch.forget("teacher")
    school.noted.clear()
    store().rooms.ask(school.code, visitor("teacher"), parse_question("Which? | A | B"))
    assert school.asked_to_draw() == school.noted == []


def test_a_database_that_goes_away_and_comes_back_concerns_all(school, monkeypatch):
    def refuse(*_):
        raise DatabaseError("the database does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(Rooms, "state", refuse)
        assert school.asked_to_draw() == ["student", "teacher"]
        school.watch._note = refuse
        assert school.asked_to_draw() == ["student", "teacher"]
    assert school.asked_to_draw() == []


def test_a_bar_that_the_server_has_drawn_knows_the_visitor_s_theme():
    """A chart in it would otherwise have dark letters on a dark page."""
    asked = []
    known = ClientState(query_string="room=KRTP")
    known.context_info.color_scheme = "dark"
    session = SimpleNamespace(_scriptrunner=None, _client_state=known, request_rerun=asked.append)
    pushed_runs._request(session, DrawnFragment("session", "fragment", "page"))
    (state,) = asked
    assert state.query_string == "room=KRTP"
    assert state.context_info.color_scheme == "dark"
