"""The bar leads through a lesson, each page with the settings of its step."""

import pytest

from pages.shared.lessons.bar import Place, step_link
from pages.shared.lessons.kept import keep_lesson
from pages.shared.lessons.lesson_file import parse_lesson
from pages.shared.registry import page_at
from tests.pages.outside_text import OUTSIDE, live_markdown
from tests.pages.playing import put
from tests.pages.shared.lessons.files import LESSON, with_line
from tests.pages.visits import arrive, press, text, visit

CLUSTERING = page_at("clustering").path


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))


@pytest.fixture
def name():
    return keep_lesson(LESSON.encode())


def values(app, control):
    return app.session_state["lab_drawn"][control].values


def title(app):
    assert not app.exception
    return app.title[0].value


def is_on(app):
    return any(button.key == "lesson_leave" for button in app.button)


def test_no_bar_without_a_lesson():
    assert not is_on(visit(CLUSTERING))


def test_the_bar_says_the_step_and_what_to_do_there(name):
    app = visit(CLUSTERING, clusters="3", lesson=name, lesson_step="1")
    said = text(app)
    assert "**Three groups** · 1 of 3 · 20 min" in said
    assert "Press Forward until nothing moves." in said
    assert "The centres rest. So do the points." in said
    assert "Why earlier?" not in said
    assert app.button(key="lesson_back").disabled


def test_next_and_back_open_each_page_with_the_settings_of_its_step(name):
    app = visit(CLUSTERING, clusters="3", seed="5", lesson=name, lesson_step="1")
    assert (values(app, "clusters"), values(app, "seed")) == (("3",), ("5",))
    press(app, "lesson_next")
    assert title(app) == page_at("attention").title
    assert "Why earlier?" in text(app)
    press(app, "lesson_next")
    assert title(app) == page_at("clustering").title
    assert "· 3 of 3 ·" in text(app)
    plain = values(visit(CLUSTERING), "seed")
    assert (values(app, "clusters"), values(app, "seed")) == (("5",), plain)
    press(app, "lesson_back")
    press(app, "lesson_back")
    assert (values(app, "clusters"), values(app, "seed")) == (("3",), ("5",))


def test_a_playback_stands_at_its_own_beginning_and_not_where_it_was_left(name):
    app = visit(CLUSTERING, clusters="3", seed="5", lesson=name, lesson_step="1")
    put(app, "step", 1)
    press(app, "lesson_next")
    press(app, "lesson_next")
    assert values(app, "step") == values(visit(CLUSTERING, clusters="5"), "step") != ("0",)


def test_a_control_of_that_name_on_the_page_before_takes_nothing_from_the_link():
    lesson = with_line("link: /attention?query=3", "link: number-of-clusters?clusters=4&seed=7")
    app = visit(CLUSTERING, clusters="3", lesson=keep_lesson(lesson), lesson_step="1")
    press(app, "lesson_next")
    assert (values(app, "clusters"), values(app, "seed")) == (("4",), ("7",))


def test_what_was_moved_gives_way_to_the_settings_of_the_step(name):
    app = visit(CLUSTERING, clusters="3", lesson=name, lesson_step="1")
    app.slider(key="clusters").set_value(7)
    app.run()
    assert values(app, "clusters") == ("7",)
    press(app, "lesson_again")
    assert values(app, "clusters") == ("3",)


def test_a_visitor_who_walks_by_the_menu_keeps_the_lesson_until_they_leave_it(name):
    app = visit(CLUSTERING, clusters="3", lesson=name, lesson_step="1")
    app.query_params.clear()  # as a link of the menu does
    app.switch_page(page_at("tokenization").path).run()
    assert "· 1 of 3 ·" in text(app)
    assert app.query_params["lesson_step"] in ("1", ["1"])
    press(app, "lesson_leave")
    assert title(app) == page_at("tokenization").title
    assert not is_on(app)
    assert "lesson" not in app.query_params
    app.switch_page(CLUSTERING).run()
    assert not is_on(app)


def test_the_end_of_a_lesson_leads_to_its_card(name):
    app = visit(CLUSTERING, clusters="5", lesson=name, lesson_step="3")
    press(app, "lesson_finish")
    assert title(app) == page_at("lessons").title
    assert "Groups" in [header.value for header in app.header]
    assert not is_on(app)


def test_who_has_walked_through_a_lesson_gets_a_code_that_the_teachers_sheet_can_read(name):
    app = visit(CLUSTERING, clusters="3", lesson=name, lesson_step="1")
    press(app, "lesson_next")
    press(app, "lesson_next")
    press(app, "lesson_finish")
    assert "It says that 3 of 3 steps were opened" in text(app)
    code = app.code[0].value
    teacher = visit(page_at("lessons").path, lesson=name, teacher="1")
    teacher.text_input(key="completion_code").set_value(code.lower()).run()
    assert "3 of 3 steps were opened within 1 minute" in teacher.success[0].value
    teacher.text_input(key="completion_code").set_value(code[:-1]).run()
    assert "copy it whole" in teacher.warning[0].value


def test_who_has_opened_a_lesson_at_its_last_step_has_done_one_of_them(name):
    app = visit(CLUSTERING, clusters="5", lesson=name, lesson_step="3")
    press(app, "lesson_finish")
    assert "It says that 1 of 3 steps were opened" in text(app)
    assert not visit(page_at("lessons").path, lesson=name).code, "who has opened nothing gets none"


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("0", "1 of 3"),
        ("99", "3 of 3"),
        ("-1", "1 of 3"),
        ("x", "1 of 3"),
        ("²", "1 of 3"),
        ("9" * 5_000, "1 of 3"),
    ],
)
def test_a_step_that_is_none_gives_way_to_one(name, asked, shown):
    app = visit(CLUSTERING, lesson=name, lesson_step=asked)
    assert f"· {shown} ·" in text(app)


@pytest.mark.parametrize("asked", ["aaaaaaa", "../x", ""])
def test_an_unknown_lesson_leaves_the_page_as_it_is_and_says_so(asked):
    app = visit(CLUSTERING, clusters="3", lesson=asked, lesson_step="1")
    assert not is_on(app)
    assert len(app.warning) == 1
    assert values(app, "clusters") == ("3",)
    assert not app.run().warning


def test_a_teachers_words_are_not_obeyed():
    step = f"do: {OUTSIDE}\nsee: {OUTSIDE}\nminutes: 5\nquestion: {OUTSIDE}\nanswer: {OUTSIDE}\n"
    content = f"---\ntitle: {OUTSIDE[:80]}\nchapter: {OUTSIDE}\naim: {OUTSIDE}\naudience: {OUTSIDE}\n---\n## {OUTSIDE[:80]}\nlink: tokenization\n{step}"
    name = keep_lesson(content.encode())
    for path, asked in (("tokenization", {"lesson_step": "1"}), ("lessons", {})):
        app = arrive(page_at(path).path, lesson=name, **asked)
        assert not app.exception
        assert "zqx" in text(app)
        assert live_markdown(app) == []


def test_the_presenter_view_stays(name):
    app = visit(CLUSTERING, clusters="3", present="1", lesson=name, lesson_step="1")
    press(app, "lesson_next")
    assert app.query_params["present"] in ("1", ["1"])


def test_a_link_without_parameters_gets_the_lesson_as_its_only_ones():
    lesson = parse_lesson(with_line("clustering?clusters=5", "clustering"))
    assert step_link(lesson, Place("abc", 3)) == "clustering?lesson=abc&lesson_step=3"
    assert step_link(lesson, Place("abc", 2)) == "attention?query=3&lesson=abc&lesson_step=2"
