"""The part on a visitor's own names: they are learned, named and forgotten; what cannot be read changes nothing."""

import pytest

from lm_core.experiments.neural_language_model.own_names import RIVERS, LearnedNames, read_names
from pages.neural_language_model.own_names import Chosen, _explained
from tests.pages.visits import shows, text, visit

PAGE = "pages/neural_language_model/page.py"
RUSSIAN = "Анна Борис Вера Глеб Дарья Егор Жанна Захар Инна Кирилл Лев Мария Нина Олег Пётр Раиса Семён Таня Ульяна Фёдор Юлия"  # noqa: RUF001
FILE = ("names.txt", RUSSIAN.replace(" ", "\n").encode("cp1251"), "text/plain")


def test_names_in_another_script_are_learned_named_and_forgotten():
    app = visit(PAGE, part="Own names")
    assert not app.exception
    assert shows(app, "3 of 12 names that the network makes up are on the list")
    app.get("file_uploader")[0].set_value(FILE)
    app.button(key="own_names_use").click().run()
    assert "the encoding of this text could not be recognised" in app.error[0].value
    offered = app.selectbox(key="own_names_encoding").options
    assert "Windows-1251 (Russian, Bulgarian): Анна" in offered
    app.selectbox(key="own_names_encoding").set_value("cp1251")
    app.get("file_uploader")[0].set_value(FILE)
    app.button(key="own_names_use").click().run()
    assert not app.exception
    assert not app.error
    assert shows(app, "Read as 21 names, one a line")
    assert shows(app, "The file is in Windows-1251")
    assert shows(app, "The network has read 19 names; 2 were held out")
    app.button(key="own_names_forget").click().run()
    assert not app.exception
    assert not shows(app, "Read as")


def test_a_list_that_is_too_short_changes_nothing():
    app = visit(PAGE, part="Own names")
    app.text_area(key="own_names_pasted").set_value("Anna\nBen")
    app.button(key="own_names_use").click().run()
    assert "different names, one a line, this one has 2" in app.error[0].value
    assert "3 of 12 names" in text(app)


def test_fewer_copies_with_one_letter_and_more_at_a_low_temperature():
    assert shows(visit(PAGE, part="Own names", own_context="1"), "0 of 12 names")
    assert shows(visit(PAGE, part="Own names", own_context="5"), "8 of 12 names")
    assert shows(visit(PAGE, part="Own names", own_temperature="0.5"), "8 of 12 names")


@pytest.mark.parametrize(
    ("train_bits", "held_out_bits", "said"),
    [
        (3.16, 3.65, "most of what it has learned holds"),
        (1.32, 4.35, "by heart"),
        (4.44, 4.91, "by heart"),  # names of random letters: a small gap, and nothing that holds
    ],
)
def test_what_was_learned_holds_for_new_names_or_not(train_bits, held_out_bits, said):
    learned = LearnedNames(None, train_bits, held_out_bits)
    assert said in _explained(read_names(RIVERS), learned, Chosen())
