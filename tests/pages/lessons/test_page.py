"""The page of lessons: cards, one lesson with its sheet, a teacher's own."""

import pytest

from pages.shared.lessons.kept import keep_lesson, shipped_lessons
from pages.shared.registry import PAGES, page_at
from pages.shared.ten_minutes import teaching_steps
from tests.pages.shared.lessons.files import LESSON, with_line
from tests.pages.visits import press, text, visit

PAGE = page_at("lessons").path


@pytest.fixture(autouse=True)
def home(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    return tmp_path


def bring(app, content, name="own.md"):
    app.get("file_uploader")[0].set_value((name, content, "text/plain")).run()
    assert not app.exception
    return app


def test_every_shipped_lesson_has_a_card_with_its_aim():
    app = visit(PAGE)
    for name, lesson in shipped_lessons().lessons.items():
        assert app.button(key=f"start_{name}")
        assert f"{lesson.minutes} min" in text(app)
    assert not app.warning
    assert not app.error


def test_start_opens_the_first_step_with_its_settings():
    name, lesson = next(iter(shipped_lessons().lessons.items()))
    app = press(visit(PAGE), f"start_{name}")
    assert app.title[0].value == page_at(lesson.steps[0].address).title
    assert f"· 1 of {len(lesson.steps)} ·" in text(app)


def test_one_link_shows_a_lesson_with_its_sheet():
    name, lesson = next(iter(shipped_lessons().lessons.items()))
    app = visit(PAGE, lesson=name, teacher="1")
    assert any(code.value.endswith(f"/lessons?lesson={name}") for code in app.code)
    said = text(app)
    for step in lesson.steps:
        assert step.title in said
    assert "*Answer.*" in said
    assert any(button.key == "sheet_html" for button in app.get("download_button"))
    of_class = visit(PAGE, lesson=name)
    assert "*Answer.*" not in text(of_class)
    assert not any(b.key == "sheet_html" for b in of_class.get("download_button"))


def test_a_lesson_that_is_not_known_is_said_to_be_so_and_the_others_are_there():
    app = visit(PAGE, lesson="aaaaaaa")
    assert len(app.warning) == 1
    assert len([b for b in app.button if b.label == "Start"]) == len(shipped_lessons().lessons)


def test_a_teachers_lesson_is_kept_and_has_a_link():
    app = bring(visit(PAGE), LESSON.encode())
    assert len(app.success) == 1
    press(app, "open_uploaded")
    assert "Groups" in [header.value for header in app.header]
    name = keep_lesson(LESSON.encode())
    assert any(code.value.endswith(f"?lesson={name}") for code in app.code)
    press(app, "start_chosen")
    assert app.title[0].value == page_at("clustering").title
    assert app.slider(key="clusters").value == 3


def test_the_encoding_of_a_lesson_is_chosen_beside_what_each_makes_of_its_letters():
    content = LESSON.replace("title: Groups", "title: Где группы?").encode("cp1251")
    app = bring(visit(PAGE), content)
    assert any("which may be “Где”" in caption.value for caption in app.caption)
    choose = app.selectbox(key="lesson_encoding")
    assert any("Windows-1251" in option and "title: Где" in option for option in choose.options)
    choose.set_value("cp1251").run()
    press(app, "open_uploaded")
    assert "Где группы?" in [header.value for header in app.header]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x89PNG\r\n\x1a\n\0", "a PNG picture"),
        (b"", "the file is empty"),
        (LESSON.encode() * 200, "at most 64,000 bytes"),
        (with_line("title: Groups", "colour: <script>alert(1)</script>"), "line 2"),
        (with_line("link: /attention?query=3", "link: javascript:alert(1)"), "without a host"),
        (with_line("minutes: 15", "minutes: -3"), "whole number from 1"),
    ],
)
def test_what_is_no_lesson_is_refused_and_nothing_is_lost(home, content, said):
    kept = keep_lesson(LESSON.encode())
    app = bring(visit(PAGE, lesson=kept), content)
    assert len(app.error) == 1
    assert said in app.error[0].value.replace("\\", "")
    assert not app.success
    assert "Groups" in [header.value for header in app.header]
    assert len([b for b in app.button if b.label == "Start"]) == len(shipped_lessons().lessons) + 1
    assert len(list((home / "lessons").iterdir())) == 1


def found(app):
    return {
        name
        for name in shipped_lessons().lessons
        if any(b.key == f"open_{name}" for b in app.button)
    }


def test_the_finder_leaves_the_lessons_that_suit_a_class():
    lessons = shipped_lessons().lessons
    app = visit(PAGE)
    assert found(app) == set(lessons)
    app.button_group(key="find_minutes").set_value(45).run()
    assert found(app) == {name for name, lesson in lessons.items() if lesson.minutes <= 45}
    app.number_input(key="find_age").set_value(15).run()
    assert "words" in found(app)
    assert "networks" not in found(app)
    app.multiselect(key="find_known").set_value(["nothing of this"]).run()
    assert found(app) == {"first-visit", "generation"}
    app.multiselect(key="find_known").set_value(["vectors"]).run()
    assert found(app) == {"first-visit", "generation", "words"}
    assert "left out" in text(app)


def taught(app):
    return [link.proto.page for link in app.get("page_link")]


def test_the_finder_finds_pages_that_are_taught_in_ten_minutes():
    every = {spec.address for spec in PAGES if teaching_steps(spec.address)}
    app = visit(PAGE)
    assert taught(app) == []
    app.button_group(key="find_minutes").set_value(10).run()
    assert (found(app), len(taught(app))) == (set(), len(every))
    assert set(taught(app)) == every
    app.number_input(key="find_age").set_value(14).run()
    chapters = {page_at(address).chapter for address in taught(app)}
    assert chapters == {"Start", "Generation"}
    app.button_group(key="find_minutes").set_value(45).run()
    assert {"war-and-peace", "published-figures"} <= set(taught(app))
    app.number_input(key="find_age").set_value(16)
    app.multiselect(key="find_known").set_value(["attention"]).run()
    chapters = {page_at(address).chapter for address in taught(app)}
    assert chapters == {"Start", "Recurrent networks", "Generation", "Pretraining"}


def test_every_page_that_is_taught_in_ten_minutes_has_a_lesson_of_its_chapter():
    chapters = {lesson.chapter for lesson in shipped_lessons().lessons.values()}
    assert {spec.chapter for spec in PAGES if teaching_steps(spec.address)} <= chapters


def test_what_suits_nobody_is_said():
    app = visit(PAGE)
    app.number_input(key="find_age").set_value(10).run()
    assert found(app) == set()
    assert f"{len(shipped_lessons().lessons)} lessons left out" in text(app)


def test_every_shipped_lesson_says_its_age():
    assert all(lesson.age for lesson in shipped_lessons().lessons.values())
