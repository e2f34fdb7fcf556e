"""Shortcuts through Streamlit give what its own way gives."""

import pytest
from streamlit import config, type_util
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.shared.server.streamlit_inside.shortcuts import (
    SessionLookup,
    filled_once,
    take_shortcuts,
)


@pytest.fixture
def shortcuts(monkeypatch):
    for owner, name in (
        (SafeSessionState, "filtered_state"),
        (app_session, "_populate_theme_msg"),
        (app_session.AppSession, "_populate_app_pages"),
        (type_util, "get_func_parameters"),
        (script_run_context, "populate_hash_if_needed"),
    ):
        monkeypatch.setattr(owner, name, getattr(owner, name))  # put back afterwards
    take_shortcuts()


def theme(fill):
    whole = CustomThemeConfig()
    fill(whole)
    fill(whole.light, "theme.light")
    fill(whole.dark, "theme.dark")
    fill(whole.sidebar, "theme.sidebar")
    fill(whole.dark.sidebar, "theme.dark.sidebar")
    return whole


@pytest.fixture
def own_way():
    """Streamlit's own function, whatever has been booted in this process before."""
    function = app_session._populate_theme_msg
    while function.__closure__ and function.__name__ == "copy_section":
        cells = dict(zip(function.__code__.co_freevars, function.__closure__, strict=True))
        function = cells["fill"].cell_contents
    return function


def test_the_theme_is_the_one_of_the_settings_again_and_again(own_way):
    fill = filled_once(own_way)
    expected = theme(own_way)
    assert expected.base_font_size == config.get_option("theme.baseFontSize")
    assert expected.light.primary_color == config.get_option("theme.light.primaryColor") != ""
    assert not expected.HasField("sidebar")
    assert theme(fill) == expected
    assert theme(fill).SerializeToString() == expected.SerializeToString(), (
        "the second time as well"
    )


def test_one_message_is_not_another(own_way):
    fill = filled_once(own_way)
    theme(fill).light.primary_color = "#000000"
    assert theme(fill) == theme(own_way)


def test_what_is_looked_up_is_what_the_session_holds():
    own = SessionState()
    own["a"], own["b"] = 1, None
    lookup = SessionLookup(SafeSessionState(own, lambda: None))
    assert dict(lookup) == own.filtered_state == {"a": 1, "b": None}
    assert len(lookup) == 2
    assert "c" not in lookup
    with pytest.raises(KeyError):
        lookup["c"]


def test_the_beginning_of_a_run_names_no_pages(shortcuts):
    message, pages = NewSession(), {"a": {"page_script_hash": "a", "page_name": "A"}}
    app_session.AppSession._populate_app_pages(None, message, pages)
    assert not message.app_pages


def test_browsers_keep_the_menu_and_nothing_else_that_streamlit_would_not_have_them_keep(shortcuts):
    menu, config = ForwardMsg(), ForwardMsg()
    menu.navigation.app_pages.add(page_name="Attention heads")
    config.page_config_changed.title = "Attention heads"
    for message in (menu, config):
        script_run_context.populate_hash_if_needed(message)
    assert menu.metadata.cacheable
    assert menu.hash
    assert not config.metadata.cacheable


def test_the_parameters_of_a_function_are_read_once(shortcuts, monkeypatch):
    def one(first, *, second=2): ...
    def other(third): ...

    found = type_util.get_func_parameters(one)
    assert [parameter.name for parameter in found] == ["first", "second"]
    assert type_util.get_func_parameters(one) is found
    assert [parameter.name for parameter in type_util.get_func_parameters(other)] == ["third"]


def widgets():
    import streamlit as st

    st.session_state.setdefault("empty_number", None)
    st.session_state.setdefault("number", 4.0)
    st.number_input("Empty", key="empty_number", value=1.0)
    st.number_input("Number", key="number")
    st.text_input("Text", key="text", value="a")
    st.selectbox("Choice", ["a", "b"], key="choice", index=None)
    st.session_state["seen"] = sorted(k for k in st.session_state if not k.startswith("seen"))


@pytest.mark.usefixtures("shortcuts")
def test_widgets_read_their_own_values_from_it():
    app = AppTest.from_function(widgets).run()
    assert [number.value for number in app.number_input] == [None, 4.0]
    app.number_input[0].set_value(2.0)
    app.selectbox[0].set_value("b")
    app.run()
    assert [number.value for number in app.number_input] == [2.0, 4.0]
    assert app.selectbox[0].value == "b"
    assert app.session_state["seen"] == ["choice", "empty_number", "number", "text"]
    assert not app.exception
