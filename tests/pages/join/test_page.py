"""Joining a class: by the link of the QR code, or by typing the code."""

from lm_core.classroom.queries import HERE_S
from pages.shared.lessons.kept import shipped_lessons
from pages.shared.rooms.store import store
from tests.pages.shared.classroom.people import HOME, arrive_as, look_again, opened, visitor, words
from tests.pages.visits import press

JOIN = "pages/join/page.py"


def test_the_link_of_the_code_joins():
    room = opened()
    app = look_again(arrive_as("student", JOIN, code=room.code.lower()))
    assert f"You are in class **{room.code}**" in words(app)
    assert store().rooms.state(room.code).member_count == 1


def test_a_code_is_typed_however_it_is_written():
    room = opened()
    app = arrive_as("student", JOIN)
    app.text_input[0].set_value(f" {room.code[:2].lower()}-{room.code[2:]} ")
    app.button[-1].click().run()
    assert f"You are in class **{room.code}**" in words(look_again(app))


def test_a_wrong_code_says_so_and_keeps_the_field():
    app = arrive_as("student", JOIN)
    app.text_input[0].set_value("ZZZZ")
    app.button[-1].click().run()
    assert "there is no room ZZZZ" in words(app)
    assert app.text_input[0].value == "ZZZZ"


# Before the hour ---------------------------------------------------------------------------------


def test_a_class_starts_from_home_in_two_clicks():
    teacher = arrive_as("teacher", HOME)
    press(teacher, "class_start")
    (code,) = (block.value for block in look_again(teacher).markdown if len(block.value) == 4)
    assert store().rooms.state(code).is_open
    press(teacher, "lobby_begin")
    lesson = next(iter(shipped_lessons().lessons))
    assert teacher.session_state["lab_room_page"] == "clustering"
    place = store().rooms.state(code).place
    assert (place.page, place.parameters["lesson"]) == ("clustering", [lesson])


def test_the_way_back_to_a_class_opens_no_other():
    room = opened()
    teacher = arrive_as("teacher", HOME, room=room.code)
    (button,) = (button for button in teacher.button if button.key == "class_start")
    assert button.label == f"On with class {room.code}"
    button.click().run()
    assert room.code in [block.value for block in look_again(teacher).markdown]


def test_a_presenter_sees_who_has_come_and_who_has_left():
    room = opened()
    teacher = arrive_as("teacher", JOIN, room=room.code)
    assert "Nobody has come in yet." in words(teacher)
    arrive_as("anna", JOIN, room=room.code)
    rooms = store().rooms
    (anna,) = rooms.attendance(room.code, visitor("teacher"))
    assert f"**1 student here**\n{anna.alias}" in words(look_again(teacher))
    clock = rooms.clock
    rooms.clock = lambda: clock() + 10 * HERE_S
    try:
        assert f"{anna.alias}, left" in words(look_again(teacher))
    finally:
        rooms.clock = clock
