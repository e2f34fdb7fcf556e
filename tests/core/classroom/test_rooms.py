"""Rooms: what a class does in them, what it may not, and what outlives a restart."""

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from threading import Barrier

import pytest
import sqlalchemy as sa

from lm_core.classroom.database import Database
from lm_core.classroom.names import LONGEST_ALIAS
from lm_core.classroom.queries import HERE_S, KEPT_S, MOST_CHANGES, MOST_MEMBERS, OPEN_S
from lm_core.classroom.questions import parse_question
from lm_core.classroom.records import Place, Question, RoomState
from lm_core.classroom.rooms import MOST_QUESTIONS, MOST_ROOMS, Rooms
from lm_core.classroom.schema import METADATA, ROOMS
from lm_core.errors import DatabaseError, RoomError

CHOICE = parse_question("Which learns faster? | RNN | *LSTM")
WORD = parse_question("Which word is nearest?")
PLACE = Place("clustering", {"clusters": ["5"], "text": ["ä <b>", "\x00"]})
YEAR_S = 365 * 86_400.0
MARKUP = "<b onclick=x>**hi**"
JOINING = 30


def rows(database, table=ROOMS):
    with database.reading() as connection:
        return connection.execute(sa.select(table)).all()


def everything(database):
    """Return all that a database keeps, as text."""
    return str([rows(database, table) for table in METADATA.tables.values()])


@contextmanager
def refused(message):
    with pytest.raises(RoomError, match=message) as error:
        yield
    assert len(str(error.value)) < 200
    assert str(error.value).isprintable()


@pytest.fixture
def code(room, rooms):
    """The code of an open room, in which "student" is, too."""
    rooms.join(room.code, "student")
    return room.code


@pytest.fixture
def asked(code, rooms):
    return rooms.ask(code, "teacher", CHOICE)


def test_a_new_room_is_open_and_empty(room, rooms):
    assert rooms.state(room.code) == RoomState(room.code, True, None, None, None, 0, 0)
    assert rooms.member(room.code, "teacher").is_presenter
    assert rooms.member(room.code, "student") is None


def test_a_student_joins_with_an_alias_and_comes_back_to_it(room, rooms):
    student = rooms.join(f" {room.code.lower()} ", "student")
    assert student.alias
    assert not student.is_presenter
    assert rooms.join(room.code, "student") == rooms.member(room.code, "student") == student
    assert rooms.join(room.code, "another").alias != student.alias
    assert rooms.state(room.code).member_count == 2


def test_the_presenter_who_joins_again_stays_one(room, rooms):
    assert rooms.join(room.code, "teacher").is_presenter
    assert rooms.state(room.code).member_count == 0


def test_a_class_answers_and_sees_it_once_it_is_revealed(code, rooms, clock):
    rooms.join(code, "another")
    asked = rooms.ask(code, "teacher", CHOICE)
    assert rooms.state(code).asked == asked
    clock.now += 5
    assert rooms.answer(code, "student", asked.id, "RNN") == "RNN"
    clock.now += 1
    assert rooms.answer(code, "another", asked.id, "LSTM") == "LSTM"
    assert rooms.state(code).answer_count == 2
    with refused("once the presenter reveals"):
        rooms.answers(asked.id)
    rooms.reveal(code, "teacher", asked.id)
    assert rooms.state(code).asked == replace(asked, is_revealed=True)
    assert rooms.answers(asked.id) == ["RNN", "LSTM"]
    assert rooms.own_answer(code, "student", asked.id) == "RNN"
    assert rooms.own_answer(code, "teacher", asked.id) is None
    names = [rooms.member(code, visitor).alias for visitor in ("student", "another")]
    written = rooms.all_answers(code, "teacher")
    assert [(row.alias, row.value, row.seconds) for row in written] == [
        (names[0], "RNN", 5.0),
        (names[1], "LSTM", 6.0),
    ]
    assert {row.question for row in written} == {replace(asked, is_revealed=True)}


def test_an_answer_may_be_changed_until_it_is_revealed(code, asked, rooms):
    for value in ("RNN", "LSTM"):
        rooms.answer(code, "student", asked.id, value)
    assert rooms.own_answer(code, "student", asked.id) == "LSTM"
    assert rooms.state(code).answer_count == 1
    rooms.reveal(code, "teacher", asked.id)
    with refused("has been revealed"):
        rooms.answer(code, "student", asked.id, "RNN")
    assert rooms.answers(asked.id) == ["LSTM"]


def test_to_reveal_twice_is_to_reveal_once(code, asked, rooms, clock, database):
    rooms.reveal(code, "teacher", asked.id)
    before = rows(database, METADATA.tables["questions"])
    clock.now += 1
    rooms.reveal(code, "teacher", asked.id)
    assert rows(database, METADATA.tables["questions"]) == before


def test_the_next_question_takes_the_place_of_the_one_before(code, asked, rooms):
    rooms.answer(code, "student", asked.id, "RNN")
    second = rooms.ask(code, "teacher", WORD)
    assert second.id != asked.id
    assert rooms.state(code).asked == second
    assert rooms.state(code).answer_count == 0
    for act in (
        lambda: rooms.answer(code, "student", asked.id, "LSTM"),
        lambda: rooms.reveal(code, "teacher", asked.id),
        lambda: rooms.take_back(code, "teacher", asked.id),
    ):
        with refused("that question is over"):
            act()
    assert [row.value for row in rooms.all_answers(code, "teacher")] == ["RNN"]


def test_a_question_is_taken_back_with_its_answers_kept(code, asked, rooms):
    rooms.answer(code, "student", asked.id, "RNN")
    rooms.take_back(code, "teacher", asked.id)
    assert rooms.state(code).asked is None
    assert rooms.state(code).answer_count == 0
    assert len(rooms.all_answers(code, "teacher")) == 1


def test_the_presenter_leads_until_nobody_is_led(code, rooms):
    rooms.lead(code, "teacher", PLACE)
    state = rooms.state(code)
    assert state.place == PLACE
    assert state.leader == rooms.member(code, "teacher").id
    rooms.lead(code, "teacher", None)
    assert rooms.state(code).place is None
    assert rooms.state(code).leader is None


def test_a_place_of_many_settings_is_refused_and_the_old_one_stays(code, rooms):
    rooms.lead(code, "teacher", PLACE)
    with refused("too long to be followed"):
        rooms.lead(code, "teacher", Place("clustering", {"text": ["x" * 10_000]}))
    assert rooms.state(code).place == PLACE


def test_an_alias_is_changed_and_nobody_elses_is_taken(code, rooms):
    rooms.join(code, "another")
    assert rooms.rename(code, "student", "  Ada   Lovelace ").alias == "Ada Lovelace"
    assert rooms.rename(code, "student", "ada lovelace").alias == "ada lovelace"
    for taken in ("ada lovelace", "ADA LOVELACE"):
        with refused("somebody in this room has that name"):
            rooms.rename(code, "another", taken)
    assert rooms.member(code, "student").alias == "ada lovelace"
    assert rooms.rename(code, "another", MARKUP).alias == MARKUP
    assert rooms.rename(code, "another", "王 Müller").alias == "王 Müller"


@pytest.mark.parametrize(
    "alias",
    ["", "  \n ", "x" * (LONGEST_ALIAS + 1), "x" * 10_000, "a\x00b", "\u3164\u2800", "\ud800"],
    ids=["empty", "blank", "long", "10 kB", "null", "invisible", "surrogate"],
)
def test_an_alias_that_cannot_be_shown_is_refused_and_the_old_one_stays(code, rooms, alias):
    before = rooms.member(code, "student")
    with refused("1 to 24 visible characters"):
        rooms.rename(code, "student", alias)
    assert rooms.member(code, "student") == before


@pytest.mark.parametrize("wrong", ["", "ZZZZZ", "1234", "x" * 10_000, "\x00", "<b>", "K'--"])
def test_a_wrong_code_is_refused_by_everything(rooms, wrong):
    for act in (
        lambda: rooms.state(wrong),
        lambda: rooms.join(wrong, "student"),
        lambda: rooms.rename(wrong, "student", "Ada"),
        lambda: rooms.add_presenter(wrong, "student", "BCDFHJKL"),
        lambda: rooms.answer(wrong, "student", 1, "RNN"),
        lambda: rooms.ask(wrong, "student", WORD),
        lambda: rooms.close(wrong, "student"),
    ):
        with refused("there is no room .*check the four letters"):
            act()
    assert rooms.member(wrong, "student") is None
    assert rooms.own_answer(wrong, "student", 1) is None


def acts_of_a_presenter(rooms, code, visitor, question):
    return (
        lambda: rooms.lead(code, visitor, PLACE),
        lambda: rooms.ask(code, visitor, WORD),
        lambda: rooms.reveal(code, visitor, question),
        lambda: rooms.take_back(code, visitor, question),
        lambda: rooms.replace_passcode(code, visitor),
        lambda: rooms.all_answers(code, visitor),
        lambda: rooms.close(code, visitor),
    )


@pytest.mark.parametrize(
    ("visitor", "message"),
    [("student", "only a presenter"), ("stranger", "you are not in room .*: join it first")],
)
def test_only_a_presenter_leads(code, asked, rooms, visitor, message):
    before = rooms.state(code)
    for act in acts_of_a_presenter(rooms, code, visitor, asked.id):
        with refused(message):
            act()
    assert rooms.state(code) == before


def test_a_stranger_neither_answers_nor_has_a_name(code, asked, rooms):
    with refused("you are not in room"):
        rooms.answer(code, "stranger", asked.id, "RNN")
    with refused("you are not in room"):
        rooms.rename(code, "stranger", "Ada")


def test_two_presenters_lead_one_room(room, code, rooms, asked):
    second = rooms.add_presenter(code, "assistant", f" {room.passcode.lower()} ")
    assert second.is_presenter
    assert rooms.member(code, "assistant") == second
    assert rooms.member(code, "teacher").is_presenter
    rooms.lead(code, "teacher", PLACE)
    rooms.lead(code, "assistant", Place("", {}))
    assert rooms.state(code).place == Place("", {})
    assert rooms.state(code).leader == second.id
    rooms.reveal(code, "assistant", asked.id)
    assert rooms.state(code).member_count == 1  # the student


def test_a_student_who_knows_the_passcode_becomes_a_presenter(room, code, rooms):
    before = rooms.member(code, "student")
    assert rooms.add_presenter(code, "student", room.passcode) == replace(before, is_presenter=True)
    assert rooms.member(code, "student").is_presenter
    assert rooms.state(code).member_count == 0


@pytest.mark.parametrize("wrong", ["", "BCDF", "x" * 10_000, "\x00"])
def test_a_wrong_passcode_gives_no_powers(code, rooms, wrong):
    with refused("not this room's passcode"):
        rooms.add_presenter(code, "student", wrong)
    assert not rooms.member(code, "student").is_presenter


def test_a_new_passcode_voids_the_old_one(room, code, rooms):
    new = rooms.replace_passcode(code, "teacher")
    with refused("not this room's passcode"):
        rooms.add_presenter(code, "student", room.passcode)
    assert rooms.add_presenter(code, "student", new).is_presenter


def test_a_passcode_of_another_room_gives_no_powers(code, rooms):
    with refused("not this room's passcode"):
        rooms.add_presenter(code, "student", rooms.open("teacher").passcode)


def test_neither_passcodes_nor_visitors_are_kept_in_plain(room, code, rooms, database, asked):
    rooms.answer(code, "student", asked.id, "RNN")
    new = rooms.replace_passcode(code, "teacher")
    rooms.add_presenter(code, "assistant", new)
    kept = everything(database)
    assert "RNN" in kept  # it does show what is kept
    for secret in (room.passcode, new, "teacher", "student", "assistant"):
        assert secret.lower() not in kept.lower()


def test_nobody_can_tell_that_two_rooms_had_the_same_visitor(code, rooms):
    other = rooms.open("somebody").code
    assert rooms.join(other, "student").id != rooms.member(code, "student").id


def test_a_closed_room_keeps_its_answers_and_takes_no_more(room, code, rooms, asked):
    rooms.answer(code, "student", asked.id, "RNN")
    rooms.lead(code, "teacher", PLACE)
    before = rooms.member(code, "student")
    rooms.close(code, "teacher")
    state = rooms.state(code)
    assert not state.is_open
    assert state.place is None
    for act in (
        lambda: rooms.join(code, "late"),
        lambda: rooms.join(code, "student"),
        lambda: rooms.rename(code, "student", "Ada"),
        lambda: rooms.add_presenter(code, "student", room.passcode),
        lambda: rooms.answer(code, "student", asked.id, "LSTM"),
        lambda: rooms.ask(code, "teacher", WORD),
        lambda: rooms.close(code, "teacher"),
    ):
        with refused(f"room {code} is closed"):
            act()
    assert rooms.member(code, "student") == before
    assert rooms.own_answer(code, "student", asked.id) == "RNN"
    assert [row.value for row in rooms.all_answers(code, "teacher")] == ["RNN"]


def test_a_thousand_answers_from_one_phone_are_one(code, asked, rooms):
    values = CHOICE.options
    for i in range(MOST_CHANGES + 1):
        rooms.answer(code, "student", asked.id, values[i % 2])
    last = values[MOST_CHANGES % 2]
    for _ in range(1_000 - MOST_CHANGES - 1):
        with refused("may be changed 50 times: your last one counts"):
            rooms.answer(code, "student", asked.id, "LSTM" if last == "RNN" else "RNN")
    rooms.reveal(code, "teacher", asked.id)
    assert rooms.answers(asked.id) == [last]


@pytest.mark.parametrize("value", ["", "GRU", "x" * 10_000, "RNN\x00", MARKUP])
def test_what_is_no_answer_leaves_the_one_before(code, asked, rooms, value):
    rooms.answer(code, "student", asked.id, "RNN")
    with refused("one of those on offer"):
        rooms.answer(code, "student", asked.id, value)
    assert rooms.own_answer(code, "student", asked.id) == "RNN"


def test_markup_goes_through_the_database_unchanged(code, rooms):
    asked = rooms.ask(code, "teacher", parse_question(f"{MARKUP}'); DROP TABLE rooms; --"))
    assert rooms.state(code).asked == asked
    assert rooms.answer(code, "student", asked.id, MARKUP) == MARKUP
    rooms.reveal(code, "teacher", asked.id)
    assert rooms.answers(asked.id) == [MARKUP]


def test_a_question_that_may_not_be_asked_leaves_the_one_before(code, asked, rooms):
    with refused("2 to 12 different answers"):
        rooms.ask(code, "teacher", replace(CHOICE, options=("one",)))
    assert rooms.state(code).asked == asked


def test_rooms_members_and_questions_have_bounds(code, rooms, monkeypatch):
    for bound in ("rooms.MOST_ROOMS", "queries.MOST_MEMBERS", "rooms.MOST_QUESTIONS"):
        monkeypatch.setattr(f"lm_core.classroom.{bound}", 2)
    with refused("is full: it has 2 members"):
        rooms.join(code, "third")
    assert rooms.join(code, "student")  # who is in stays in
    for _ in range(2):
        rooms.ask(code, "teacher", WORD)
    with refused("at most 2 questions"):
        rooms.ask(code, "teacher", WORD)
    rooms.open("teacher")
    with refused("keeps 2 rooms"):
        rooms.open("teacher")
    assert min(MOST_ROOMS, MOST_MEMBERS, MOST_QUESTIONS) >= 300


def test_a_room_expires_after_a_day_and_its_answers_stay_for_a_week(code, asked, rooms, clock):
    rooms.answer(code, "student", asked.id, "RNN")
    clock.now += OPEN_S - 1
    assert rooms.state(code).is_open
    clock.now += 1
    assert not rooms.state(code).is_open
    with refused("is closed"):
        rooms.join(code, "late")
    clock.now += KEPT_S
    rooms.open("another teacher")
    assert len(rooms.all_answers(code, "teacher")) == 1


def test_a_room_is_deleted_with_all_of_it_a_day_after_its_week(code, asked, rooms, clock, database):
    rooms.answer(code, "student", asked.id, "RNN")
    clock.now += OPEN_S + KEPT_S + 1
    rooms.open("second")
    assert code in {row.code for row in rows(database)}
    clock.now += 86_400 - 1
    rooms.open("third")
    assert code in {row.code for row in rows(database)}
    clock.now += 1
    rooms.open("fourth")
    with refused("there is no room"):
        rooms.state(code)
    for name in ("questions", "answers"):
        assert rows(database, METADATA.tables[name]) == []
    assert len(rows(database, METADATA.tables["members"])) == 3
    assert len(rows(database)) == 3


def test_a_clock_that_jumps_ahead_and_back_closes_and_deletes_nothing(
    code, asked, rooms, clock, database
):
    rooms.answer(code, "student", asked.id, "RNN")
    before = rooms.state(code)
    clock.now += YEAR_S
    assert not rooms.state(code).is_open
    rooms.open("somebody")
    clock.now -= YEAR_S
    assert rooms.state(code) == before
    before = replace(before, here_count=0, here_answer_count=0)
    rooms.open("somebody else")
    clock.now += 3_600
    rooms.open("and another")
    assert rooms.state(code) == before
    assert rooms.answer(code, "student", asked.id, "LSTM") == "LSTM"
    assert len(rows(database)) == 4


def test_what_a_wrong_clock_has_marked_is_deleted_in_its_own_time(code, rooms, clock, database):
    clock.now += YEAR_S
    rooms.open("under the wrong clock")
    clock.now -= YEAR_S
    clock.now += OPEN_S + KEPT_S + 1  # nobody opened a room before it was outdated indeed
    rooms.open("second")
    clock.now += 86_400
    rooms.open("third")
    assert code not in {row.code for row in rows(database)}


def test_a_clock_that_jumps_back_keeps_rooms_open_and_times_above_nought(code, asked, rooms, clock):
    clock.now -= YEAR_S
    rooms.answer(code, "student", asked.id, "RNN")
    assert rooms.state(code).is_open
    (row,) = rooms.all_answers(code, "teacher")
    assert row.seconds == 0.0


def in_threads(act, n=JOINING):
    """Return what an act returns for 0 to n - 1, all begun at once."""
    together = Barrier(n)

    def begun(i):
        together.wait(timeout=60)
        return act(i)

    with ThreadPoolExecutor(n) as pool:
        return list(pool.map(begun, range(n)))


def test_thirty_who_join_and_answer_at_once_lose_nothing(database, room, rooms):
    asked = rooms.ask(room.code, "teacher", WORD)

    def take_part(i):
        member = rooms.join(room.code, f"visitor {i}")
        rooms.state(room.code)
        rooms.answer(room.code, f"visitor {i}", asked.id, f"word {i}")
        return member.alias

    aliases = in_threads(take_part)
    assert len(set(aliases)) == JOINING
    assert rooms.state(room.code).member_count == JOINING
    assert rooms.state(room.code).answer_count == JOINING
    rooms.reveal(room.code, "teacher", asked.id)
    assert sorted(rooms.answers(asked.id)) == sorted(f"word {i}" for i in range(JOINING))
    written = {(row.alias, row.value) for row in rooms.all_answers(room.code, "teacher")}
    assert written == {(alias, f"word {i}") for i, alias in enumerate(aliases)}


def test_one_phone_in_thirty_tabs_has_one_alias_and_one_answer(code, asked, rooms):
    def take_part(i):
        member = rooms.join(code, "late")
        rooms.answer(code, "late", asked.id, CHOICE.options[i % 2])
        return member

    assert len(set(in_threads(take_part))) == 1
    assert rooms.state(code).member_count == 2
    assert rooms.state(code).answer_count == 1


def test_no_answer_comes_after_the_reveal(code, asked, rooms):
    """Whoever was told that an answer is kept finds it in the picture, however close it was."""
    for i in range(JOINING):
        rooms.join(code, f"visitor {i}")

    def answer(i):
        if i == JOINING // 2:
            rooms.reveal(code, "teacher", asked.id)
            return None
        try:
            return rooms.answer(code, f"visitor {i}", asked.id, "RNN")
        except RoomError:
            return None

    kept = [value for value in in_threads(answer) if value is not None]
    assert rooms.answers(asked.id) == kept


def test_teachers_who_open_rooms_at_once_have_rooms_of_their_own(rooms):
    opened = in_threads(lambda i: rooms.open(f"teacher {i}"), 10)
    assert len({room.code for room in opened}) == 10


def test_a_restart_of_the_server_loses_nothing(code, asked, rooms, room, url, clock, database):
    rooms.answer(code, "student", asked.id, "RNN")
    rooms.lead(code, "teacher", PLACE)
    before, student = rooms.state(code), rooms.member(code, "student")
    database.close()
    second = Database(url)
    again = Rooms(second, clock)
    assert again.state(code) == before
    assert again.join(code, "student") == student
    assert again.own_answer(code, "student", asked.id) == "RNN"
    assert again.add_presenter(code, "assistant", room.passcode).is_presenter
    again.reveal(code, "teacher", asked.id)
    assert again.answers(asked.id) == ["RNN"]
    second.close()


def test_two_servers_share_one_database(code, asked, rooms, url, clock):
    second = Database(url)
    other = Rooms(second, clock)
    other.join(code, "phone elsewhere")
    other.answer(code, "phone elsewhere", asked.id, "RNN")
    assert rooms.state(code) == other.state(code)
    assert rooms.state(code).answer_count == 1
    second.close()


def test_a_database_that_was_restarted_in_use_is_used_on(postgresql, clock):
    database = Database(postgresql.emptied_url())
    rooms = Rooms(database, clock)
    code = rooms.open("teacher").code
    in_threads(lambda i: rooms.join(code, f"visitor {i}"), 5)  # several connections are kept
    before = rooms.state(code)
    postgresql.stop()
    try:
        with pytest.raises(DatabaseError, match="does not answer"):
            rooms.state(code)
    finally:
        postgresql.start()
    assert in_threads(lambda _: rooms.state(code), 5) == [before] * 5
    assert rooms.join(code, "late").alias
    database.close()


def test_the_clock_of_the_server_is_the_default(database):
    rooms = Rooms(database)
    rooms.open("teacher")
    (row,) = rows(database)
    assert row.opened_at == pytest.approx(time.time(), abs=600)


PREDICTION = Question("choice", "Which?", ("x", "y", "z"), page="clustering", name="groups")


def test_a_locked_door_keeps_newcomers_out_and_members_in(code, rooms):
    rooms.lock(code, "teacher", is_locked=True)
    assert rooms.state(code).is_locked
    with refused("has locked class"):
        rooms.join(code, "stranger")
    assert rooms.join(code, "student") == rooms.member(code, "student")
    rooms.lock(code, "teacher", is_locked=False)
    assert rooms.join(code, "stranger").alias


def test_who_is_removed_is_gone_with_all_answers_and_does_not_come_back(code, asked, rooms):
    rooms.join(code, "another")
    removed = rooms.member(code, "another")
    for visitor in ("student", "another"):
        rooms.answer(code, visitor, asked.id, "RNN")
    rooms.remove(code, "teacher", [removed.id])
    state = rooms.state(code)
    assert (state.answer_count, state.member_count, state.removed_count) == (1, 1, 1)
    assert [row.alias for row in rooms.all_answers(code, "teacher")] == [
        rooms.member(code, "student").alias
    ]
    assert rooms.member(code, "another") is None
    with refused("you are not in room"):
        rooms.answer(code, "another", asked.id, "LSTM")
    with refused("you were removed"):
        rooms.join(code, "another")
    assert rooms.rename(code, "student", removed.alias).alias == removed.alias


def test_a_presenter_is_not_removed_and_a_student_removes_nobody(code, rooms):
    rooms.remove(code, "teacher", [rooms.member(code, "teacher").id])
    assert rooms.member(code, "teacher").is_presenter
    for act in (
        lambda: rooms.remove(code, "student", [rooms.member(code, "student").id]),
        lambda: rooms.lock(code, "student", is_locked=True),
        lambda: rooms.attendance(code, "student"),
    ):
        with refused("only a presenter"):
            act()


def test_who_has_closed_the_page_is_not_counted_as_here(code, asked, rooms, clock):
    rooms.join(code, "another")
    rooms.answer(code, "student", asked.id, "RNN")
    assert (rooms.state(code).here_count, rooms.state(code).here_answer_count) == (2, 1)
    clock.now += HERE_S + 1
    assert (rooms.state(code).here_count, rooms.state(code).here_answer_count) == (0, 0)
    rooms.note_seen(code, {rooms.member(code, "another").id})
    state = rooms.state(code)
    assert (state.member_count, state.here_count, state.here_answer_count) == (2, 1, 0)
    present = {a.id: (a.is_here, a.answer_count) for a in rooms.attendance(code, "teacher")}
    assert present[rooms.member(code, "student").id] == (False, 1)
    assert present[rooms.member(code, "another").id] == (True, 0)


def test_what_holds_of_a_page_s_own_prediction_is_noted_once_by_who_presents(code, rooms):
    asked = rooms.ask(code, "teacher", PREDICTION)
    with refused("only a presenter"):
        rooms.note_right(code, "student", asked.id, {"x"})
    rooms.note_right(code, "teacher", asked.id, {"z", "x", "none of these"})
    rooms.note_right(code, "teacher", asked.id, {"y"})
    assert rooms.state(code).asked.question.holding == ("x", "z")
    rooms.answer(code, "student", asked.id, "z")
    (row,) = rooms.all_answers(code, "teacher")
    assert row.question.question.holding == ("x", "z")


def test_what_was_revealed_is_found_though_another_question_runs(code, rooms):
    asked = rooms.ask(code, "teacher", PREDICTION)
    assert rooms.last_revealed(code, "clustering", "groups") is None
    rooms.reveal(code, "teacher", asked.id)
    rooms.ask(code, "teacher", WORD)
    assert rooms.last_revealed(code, "clustering", "groups") == replace(asked, is_revealed=True)
    assert rooms.last_revealed(code, "clustering", "others") is None
    assert rooms.state(code).revealed_count == 1


def test_answers_of_a_page_are_shown_by_a_presenter_and_stay_shown(code, rooms):
    assert rooms.state(code).answers_shown == ()
    with refused("only a presenter"):
        rooms.show_answers(code, "student", "gradients")
    for page in ("gradients", "clustering", "gradients"):
        rooms.show_answers(code, "teacher", page)
    assert rooms.state(code).answers_shown == ("clustering", "gradients")
