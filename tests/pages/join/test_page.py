"""Joining a class: by the link of the QR code, or by typing the code."""

from pages.shared.rooms.store import store
from tests.pages.shared.classroom.people import arrive_as, look_again, opened, words

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
