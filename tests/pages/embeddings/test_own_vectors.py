"""A visitor's own vectors: every part of the page works on them, and what cannot be read changes nothing."""

import numpy as np
import pytest

from lm_core.training import checkpoints
from tests.pages.small_vectors import save_small_vectors
from tests.pages.visits import shows, visit

PAGE = "pages/embeddings/page.py"
RUSSIAN = (
    "и в не на король королева принц принцесса дождь снег ветер буря рука голова лицо нога".split()
)
PARTS = (
    "Map",
    "Neighbours",
    "Several words",
    "Analogies",
    "Bias test",
    "Shared contexts",
    "During training",
)


@pytest.fixture(autouse=True)
def shelf(tmp_path, monkeypatch):
    save_small_vectors(tmp_path)
    monkeypatch.setattr(checkpoints, "SHIPPED", tmp_path)


def file_of(words):
    numbers = np.random.default_rng(0).normal(size=(len(words), 6)).round(4)
    rows = (
        f"{w} {' '.join(map(str, row))}" for w, row in zip(words, numbers.tolist(), strict=True)
    )
    return f"{len(words)} 6\n".encode() + "\n".join(rows).encode()


def bring(app, content, name="mine.vec"):
    app.get("file_uploader")[0].set_value((name, content, "text/plain")).run()
    assert not app.exception
    return app


@pytest.mark.parametrize("part", PARTS)
def test_every_part_works_on_vectors_in_another_script(part):
    app = bring(visit(PAGE, part=part), file_of(RUSSIAN))
    assert not app.error
    assert shows(app, "Read as word vectors in word2vec's text format, 16 words of 6 numbers each")
    if part == "Neighbours":
        assert shows(app, f"nearest to {app.text_input(key='word').value} is")
    if part == "Shared contexts":
        assert any("does not hold the text" in info.value for info in app.info)


def test_a_word_that_the_file_lacks_is_told_so_and_spelled_like_others():
    app = bring(visit(PAGE, part="Neighbours"), file_of(RUSSIAN))
    app.text_input(key="word").set_value("КОРОЛЬ").run()
    assert not app.error
    app.text_input(key="word").set_value("королевы").run()
    assert "your file does not hold it" in app.error[0].value
    assert any(button.label == "королева" for button in app.button)


def test_english_vectors_keep_the_words_on_screen_and_can_be_forgotten():
    words = [*"the of king queen prince rain snow wind hand head man woman".split(), "bad one"]
    app = bring(visit(PAGE, part="Neighbours"), file_of(words))
    assert app.text_input(key="word").value == "king"
    assert shows(app, r"Spaces within 1 word are written as \_; the first is “bad one” in line 14")
    app.button(key="own_vectors_forget").click().run()
    assert not app.exception
    assert not shows(app, "Read as word vectors")
    assert "own-vectors" not in app.selectbox(key="model").options


def test_a_file_that_is_none_is_refused_in_words_and_changes_nothing():
    app = bring(visit(PAGE, part="Neighbours"), b"Call me Ishmael.\nSome years ago\n", "<b>.txt")
    assert "at least two lines with a word and its numbers" in app.error[0].value
    assert app.selectbox(key="model").value == "library-skip-gram"
    bring(app, file_of(RUSSIAN[:5]))
    assert "at least 12 words to compare, this file has 5" in app.error[0].value
