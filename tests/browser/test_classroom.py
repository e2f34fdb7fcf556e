"""A class in one room, in two browsers: join, follow, answer, reveal."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import go, settle
from tests.browser.layout import share_of_picture
from tests.browser.test_pages import FIRST_SCREEN_FAULTS, faults_of

_TURNS = 9  # how often a room is asked for that has to wait for its turn
BAR = ".st-key-class_bar"
COUNTS = ".st-key-class_counts"


def open_in_turn(page, button, place):
    """Press a button that opens a room until a place is on screen: quick tests open more rooms than a school does."""
    waits = page.get_by_text("Press the button again")
    for _ in range(_TURNS):
        page.get_by_role("button", name=button).click()
        expect(place.or_(waits).first).to_be_visible()
        if place.is_visible():
            return
        # As long as is asked for; the words may have been those of the press before.
        page.wait_for_timeout(10_000)
        if place.is_visible():
            return
    pytest.fail("a turn to open a room never came")


def opened(page):
    """Open a room on a page and return its code."""
    page.locator(".st-key-class_panel button").first.click()
    open_in_turn(page, "Open a room", page.locator(BAR).get_by_text("students"))
    code = re.search(r"[?&]room=([A-Z]{4})", page.url)[1]
    expect(page.get_by_text(f"/join?code={code}")).to_be_visible()
    page.keyboard.press("Escape")
    return code


@pytest.fixture
def teacher(visit, lab):
    return visit(f"{lab}/rnn-vs-lstm")


@pytest.fixture
def room(teacher):
    return opened(teacher)


@pytest.fixture
def phone(visit, lab, room):
    page = visit(f"{lab}/join?code={room}", width=390, height=844, scheme="dark")
    expect(page.get_by_text(f"You are in class {room}")).to_be_visible()
    expect(page.get_by_role("heading", name=", waiting")).to_be_visible()
    return page


def ask_line(teacher, line):
    """Ask the class a question in a line, once it is shown how it was understood."""
    teacher.locator(".st-key-class_panel button").first.click()
    field = teacher.get_by_role("textbox", name="A question of your own")
    field.fill(line)
    field.press("Enter")
    expect(teacher.locator(".st-key-class_understood")).to_be_visible()
    teacher.locator(".st-key-class_ask button").click()
    expect(field).to_have_count(0)  # the panel closes: it would cover the picture


def faults(page, share):
    settle(page)
    return faults_of(page, FIRST_SCREEN_FAULTS, share) + faults_of(page)


def test_a_class_follows_answers_and_sees_its_guesses(teacher, phone):
    bar = teacher.locator(BAR)
    bar.get_by_text("They follow me").click()
    expect(phone.get_by_role("heading", name="RNN and LSTM")).to_be_visible()
    expect(phone.locator(BAR).get_by_text("following")).to_be_visible()

    teacher.get_by_role("button", name="Ask the class").click()
    question = phone.locator(".st-key-class_question")
    question.get_by_text("50", exact=True).click()
    expect(question.get_by_text("You said 50")).to_be_visible()
    expect(bar.get_by_text("1 of 1 have answered")).to_be_visible()
    expect(teacher.locator(COUNTS)).to_have_count(0)

    bar.get_by_role("button", name="Reveal").click()
    for page in (teacher, phone):
        expect(page.locator(COUNTS).get_by_text("Your class, 1 answer")).to_be_visible()
    expect(phone.get_by_text("Not quite")).to_be_visible()


def test_a_setting_is_followed_and_a_student_may_leave_and_come_back(teacher, phone):
    teacher.locator(BAR).get_by_text("They follow me").click()
    expect(phone.get_by_role("heading", name="RNN and LSTM")).to_be_visible()
    teacher.get_by_role("radio", name="4 to 18").or_(
        teacher.get_by_role("button", name="4 to 18")
    ).first.click()
    expect(phone).to_have_url(re.compile("lengths=4"))
    phone.get_by_role("button", name="My own way").click()
    expect(phone.locator(BAR).get_by_text("on your own")).to_be_visible()
    phone.get_by_role("button", name="Follow your teacher").click()
    expect(phone.locator(BAR).get_by_text("following")).to_be_visible()


def test_a_refresh_loses_neither_the_room_nor_the_answer(teacher, phone):
    teacher.get_by_role("button", name="Ask the class").click()
    question = phone.locator(".st-key-class_question")
    question.get_by_text("30", exact=True).click()
    expect(question.get_by_text("You said 30")).to_be_visible()
    phone.reload()
    expect(question.get_by_text("You said 30")).to_be_visible()


def test_the_bar_leaves_the_picture_on_the_first_screen(teacher, phone, lab, room):
    assert faults(teacher, 0.6) == []
    go(phone, f"{lab}/rnn-vs-lstm?room={room}")
    expect(phone.locator(BAR).get_by_text(room)).to_be_visible()
    assert faults(phone, 0.6) == []
    teacher.get_by_role("button", name="Present").click()
    expect(teacher.locator(BAR).get_by_text("They follow me")).to_be_visible()
    assert faults(teacher, 1.0) == []


def test_a_teacher_s_own_question_is_asked_in_a_line(teacher, phone):
    ask_line(teacher, "How many letters? 0..100 = 42")
    question = phone.locator(".st-key-class_question")
    expect(question.get_by_text("How many letters?")).to_be_visible()
    question.get_by_role("button", name="Send").click()
    expect(question.get_by_text("You said 50")).to_be_visible()
    teacher.locator(BAR).get_by_role("button", name="Reveal").click()
    for page in (teacher, phone):
        expect(
            page.locator(".st-key-class_answers").get_by_text("The answer is 42")
        ).to_be_visible()
    teacher.get_by_role("button", name="Present").click()
    expect(teacher.locator(".st-key-class_answers").get_by_text("The answer is 42")).to_be_visible()
    settle(teacher)
    teacher.wait_for_function(
        "document.querySelector('.st-key-picture')?.getBoundingClientRect().height > 250"
    )


def test_the_presenter_s_picture_keeps_its_height_in_every_state(teacher, lab, room):
    """Alone, in a room, in a lesson, in both, and while the class is asked, the page's question or another."""
    lesson, of_room = "lesson=clustering-and-statistics&lesson_step=1", f"room={room}"
    heights = {}

    def measure(state):
        settle(teacher)
        heights[state] = share_of_picture(teacher)

    for state in ("", of_room, lesson, f"{lesson}&{of_room}"):
        go(teacher, f"{lab}/clustering?present=1&{state}")
        if of_room in state:
            expect(teacher.locator(BAR).get_by_text("They follow me")).to_be_visible()
        measure(state)
    # The last: the lesson has a question of its own, and a button for it.
    teacher.get_by_role("button", name="Ask the class", exact=True).last.click()
    expect(teacher.locator(BAR).get_by_text("have answered")).to_be_visible()
    expect(teacher.locator(".st-key-predict_class")).to_be_visible()
    measure("asked")
    teacher.locator(".st-key-class_take_back button").click()
    ask_line(teacher, "Which finds the groups? | k-means | *EM | neither")
    card = teacher.locator(".st-key-beside .st-key-class_card")
    expect(card.get_by_text("neither")).to_be_visible()
    measure("a question of one's own")
    assert {state: share for state, share in heights.items() if share < 0.55} == {}
    row = teacher.locator(".st-key-page_title").bounding_box()
    assert row["height"] < 60, "class and lesson take more than a line"


def test_the_class_s_code_is_large_and_all_that_closes_a_class_is_in_reach(teacher, lab, room):
    go(teacher, f"{lab}/clustering?present=1&room={room}")
    teacher.locator(".st-key-class_panel button").first.click()
    code = teacher.locator(".st-key-class_code p")
    expect(code).to_have_text(room)
    assert code.evaluate("p => parseFloat(getComputedStyle(p).fontSize)") >= 64
    link = teacher.locator(".st-key-class_link code")
    assert link.evaluate("code => code.scrollWidth <= code.clientWidth && code.clientHeight < 60")
    for name in ("Answers (CSV)", "Leave or close the class"):
        button = teacher.get_by_text(name).bounding_box()
        assert button["y"] + button["height"] <= 720


def test_a_point_is_put_by_a_tap(teacher, phone):
    ask_line(teacher, "Where will the centre go? x, y 0..10 = 2, 3")
    pad = phone.locator(".st-key-class_question svg[role=slider]")
    box = pad.bounding_box()
    # Six of its 112 units lie around the plane.
    x, y = (box[side] * (6 + share) / 112 for side, share in (("width", 20), ("height", 70)))
    pad.click(position={"x": x, "y": y})
    expect(phone.get_by_text("You said 2, 3")).to_be_visible()
    pad.press("ArrowRight")
    expect(phone.get_by_text("You said 2.1, 3")).to_be_visible()


def test_a_click_in_the_picture_says_where_a_centre_goes(teacher, phone, lab, room):
    go(teacher, f"{lab}/clustering?room={room}&predict=true&step=2&clusters=3")
    teacher.locator(BAR).get_by_text("They follow me").click()
    teacher.get_by_role("button", name="Ask the class where it goes").click()
    expect(phone.get_by_text("Tap the picture where you expect it")).to_be_visible()
    settle(phone)
    phone.locator("figure canvas").first.click(position={"x": 150, "y": 90})
    expect(phone.locator(".st-key-class_question").get_by_text("You said")).to_be_visible()
    expect(teacher.get_by_text("The median of 1 answer")).to_have_count(0)
    teacher.locator(BAR).get_by_role("button", name="Reveal").click()
    for page in (teacher, phone):
        expect(page.get_by_text("The median of 1 answer")).to_be_visible()
    expect(phone.get_by_text("your guess")).to_be_visible()


def test_a_name_is_chosen_and_a_class_left_where_one_has_joined(phone, room):
    name = phone.get_by_role("textbox", name="Your name in this class")
    name.fill("Ada")
    phone.get_by_role("button", name="Change").click()
    expect(phone.get_by_role("heading", name="You are Ada, waiting")).to_be_visible()
    phone.get_by_role("button", name="Leave the class").click()
    expect(phone.get_by_role("textbox", name="The class's code")).to_be_visible()


def test_the_key_reveals_the_class_s_question_and_nothing_else(teacher, phone):
    ask_line(teacher, "Which learns faster? | RNN | *LSTM")
    question = phone.locator(".st-key-class_question")
    question.get_by_text("RNN", exact=True).click()
    expect(question.get_by_text("You said RNN")).to_be_visible()
    expect(teacher.locator(BAR).get_by_text("1 of 1 have answered")).to_be_visible()
    settle(teacher)
    teacher.keyboard.press("a")
    for page in (teacher, phone):
        expect(page.locator(".st-key-class_answers")).to_be_visible()
    expect(phone.get_by_text("The answer is LSTM")).to_be_visible()
    expect(teacher.get_by_text("LSTM below 90 %")).to_have_count(0)
    settle(teacher)
    teacher.keyboard.press("a")
    expect(teacher.get_by_text("LSTM below 90 %").first).to_be_visible()


def test_a_class_is_closed_only_where_it_is_said_what_is_lost(teacher, phone, room):
    teacher.locator(".st-key-class_panel button").first.click()
    line = teacher.get_by_role("textbox", name="A question of your own")
    line.fill("Typed before closing")
    line.press("Enter")
    expect(teacher.locator(".st-key-class_understood")).to_be_visible()
    expect(teacher.get_by_text("for good").locator("visible=true")).to_have_count(0)
    teacher.get_by_text("Leave or close the class").click()
    settle(teacher)  # what a fold holds moves what is under the pointer as it comes
    teacher.get_by_role("button", name=f"Close class {room} for good").click()
    expect(teacher.get_by_text(f"Class {room} is closed")).to_be_visible()
    expect(phone.locator(BAR).get_by_text("The class is over")).to_be_visible()
    line = teacher.get_by_role("textbox", name="A question of your own")
    open_in_turn(teacher, "Open a new room", line)
    expect(line).to_have_value("Typed before closing")


def test_a_lesson_s_question_is_asked_by_one_click_and_followers_read_the_step(
    teacher, phone, lab, room
):
    first = "rnn-vs-lstm?lesson=recurrent-networks&lesson_step=2"
    go(teacher, f"{lab}/{first}&present=1&room={room}")
    teacher.locator(BAR).get_by_text("They follow me").click()
    expect(phone.locator(".st-key-lesson_bar")).to_contain_text("Predict from which length on")
    expect(phone.locator(".st-key-lesson_next")).to_have_count(0)
    teacher.locator(".st-key-lesson_ask button").first.click()
    question = phone.locator(".st-key-class_question")
    expect(question.get_by_text("Is it the size?")).to_be_visible()
    expect(teacher.locator(".st-key-class_card").get_by_text("the wide RNN")).to_be_visible()


def test_a_paused_screen_takes_neither_taps_nor_keys_and_loses_nothing(teacher, room, visit, lab):
    phone = visit(
        f"{lab}/attention?room={room}", width=390, height=844, scheme="dark", has_touch=True
    )
    skip = phone.locator(".st-key-skip_mask button")
    expect(skip).to_be_visible()
    typed = phone.get_by_test_id("stMain").locator("textarea, input[type=text]").first
    typed.click()
    before = typed.input_value()
    teacher.locator(".st-key-class_pause button").first.click()
    rests = phone.locator(".st-key-class_rests")
    expect(rests).to_be_visible()
    expect(skip).to_be_hidden()
    assert phone.evaluate("document.activeElement === document.body")
    for key in ("a", "x", "Enter", "ArrowRight", "Escape", *["Tab"] * 9):
        phone.keyboard.press(key)
        assert phone.evaluate("document.activeElement === document.body"), key
    for place in (100, 300, 500, 700):
        phone.touchscreen.tap(195, place)
        phone.mouse.click(195, place)
    phone.wait_for_timeout(1_500)
    teacher.locator(".st-key-class_pause").get_by_role("button", name="Screens on").click()
    expect(rests).to_have_count(0)
    settle(phone)
    expect(skip).to_be_visible()
    assert typed.input_value() == before
    phone.keyboard.press("a")
    expect(skip).to_have_count(0)


def test_who_has_scrolled_down_is_told_of_a_question_and_stays_where_they_are(
    teacher, room, visit, lab
):
    phone = visit(f"{lab}/attention?room={room}", width=390, height=844)
    main = phone.get_by_test_id("stMain")
    main.evaluate("main => main.scrollTo(0, 1_500)")
    shift = """() => { window.shifts = 0; new PerformanceObserver(seen => { for (const one of seen.getEntries())
        window.shifts += one.value }).observe({type: "layout-shift"}) }"""
    phone.evaluate(shift)
    ask_line(teacher, "Which word is nearest = cat")
    expect(phone.get_by_test_id("stToast")).to_contain_text("Your teacher has asked a question")
    assert phone.locator(".st-key-class_question").bounding_box()["y"] < 0
    assert phone.evaluate("window.shifts") < 0.01
