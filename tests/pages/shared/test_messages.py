"""Errors as visitors see them: in their place, without the server's folders, never as Markdown."""

import pytest
from streamlit.testing.v1 import AppTest

from lm_core.assets import ASSETS
from lm_core.jobs.run_folder import home
from pages.shared.ui.messages import without_folders


def page(message):
    import streamlit as st

    from lm_core.errors import RunError
    from pages.shared.ui.messages import errors_in_place

    with errors_in_place():
        raise RunError(message)
    st.text("the rest of the page")


def test_an_error_is_shown_in_its_place_and_the_page_goes_on():
    app = AppTest.from_function(page, args=("what must *hold*",)).run()
    assert not app.exception
    assert [element.value for element in app.error] == ["what must \\*hold\\*"]
    assert [element.value for element in app.text] == ["the rest of the page"]


def test_without_what_it_needs_a_page_shows_the_error_and_ends():
    def needy():
        import streamlit as st

        from lm_core.errors import ResultError
        from pages.shared.ui.messages import errors_end_page

        st.text("the heading")
        with errors_end_page():
            raise ResultError("no numbers")
        st.text("the numbers")

    app = AppTest.from_function(needy).run()
    assert not app.exception
    assert [element.value for element in app.error] == ["no numbers"]
    assert [element.value for element in app.text] == ["the heading"]


@pytest.mark.parametrize("name", ["errors_in_place", "errors_end_page"])
def test_another_error_is_not_hidden(name):
    def broken(name):
        from pages.shared.ui import messages

        with getattr(messages, name)():
            raise ZeroDivisionError

    assert AppTest.from_function(broken, args=(name,)).run().exception


def test_files_are_named_without_the_folders_of_the_server(monkeypatch, tmp_path):
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LM_LAB_DATA", str(tmp_path / "texts"))
    files = (ASSETS / "checkpoints" / "a", home() / "runs" / "b", tmp_path / "texts" / "c.txt")
    message = without_folders("; ".join(map(str, files)))
    assert message == "assets/checkpoints/a; runs/b; LM_LAB_DATA/c.txt"


def test_a_wrong_variable_is_shown_like_any_other_error(monkeypatch):
    monkeypatch.setenv("LM_LAB_DEVICE", "abacus")
    assert without_folders("abacus") == "abacus"
