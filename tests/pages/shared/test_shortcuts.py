"""Shortcuts through Streamlit give what its own way gives."""

from copy import deepcopy
from types import SimpleNamespace

import pytest
from streamlit import config, type_util
from streamlit.cursor import RunningCursor
from streamlit.delta_generator import DeltaGenerator
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.NewSession_pb2 import CustomThemeConfig, NewSession
from streamlit.runtime import app_session
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.runtime.scriptrunner_utils import script_run_context
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequestType
from streamlit.runtime.state.safe_session_state import SafeSessionState
from streamlit.runtime.state.session_state import SessionState
from streamlit.testing.v1 import AppTest

from pages.shared.server.streamlit_inside.shortcuts import (
    SessionLookup,
    asked_first,
    filled_once,
    take_shortcuts,
)


@pytest.fixture
def shortcuts(monkeypatch):
    for owner, name in (
        (SafeSessionState, "__getitem__"),
        (SafeSessionState, "filtered_state"),
        (DeltaGenerator, "__deepcopy__"),
        (ScriptRunner, "_maybe_handle_execution_control_request"),
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


def test_browsers_keep_the_menu_the_styles_and_pictures_and_nothing_else_that_streamlit_would_not_have_them_keep(
    shortcuts,
):
    menu, styles, pictures, config, words = (ForwardMsg() for _ in range(5))
    pictures.delta.new_element.imgs.imgs.add(url="data:image/svg+xml;base64,PHN2Zz4=")
    styles.delta.new_element.html.body = "<style></style>"
    words.delta.new_element.markdown.body = "Attention heads"
    menu.navigation.app_pages.add(page_name="Attention heads")
    config.page_config_changed.title = "Attention heads"
    for message in (menu, styles, pictures, config, words):
        script_run_context.populate_hash_if_needed(message)
    assert menu.metadata.cacheable
    assert menu.hash
    assert styles.metadata.cacheable
    assert pictures.metadata.cacheable
    assert not config.metadata.cacheable
    assert not words.metadata.cacheable


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


@pytest.mark.usefixtures("shortcuts")
def test_a_place_is_copied_as_it_lies_and_once_for_all_that_lies_in_it():
    outer = DeltaGenerator(root_container=0, cursor=RunningCursor(0, (1,)), block_type="popover")
    inner = DeltaGenerator(root_container=0, cursor=RunningCursor(0, (1, 2)), parent=outer)
    inner._cursor.lock_element()
    inner._creating_fragment_id = "a fragment"
    copied_outer, copied = deepcopy((outer, inner))
    assert copied._parent is copied_outer is not outer
    inner._cursor.lock_element()
    assert copied._cursor.delta_path == [0, 1, 2, 1] != inner._cursor.delta_path
    assert list(copied._ancestor_block_types) == ["popover"]
    assert copied._creating_fragment_id == "a fragment"


@pytest.mark.parametrize("asked", ScriptRequestType)
def test_a_run_looks_for_how_it_is_to_end_once_anybody_has_asked(asked):
    handled = []
    runner = SimpleNamespace(_requests=SimpleNamespace(_state=asked))
    asked_first(handled.append)(runner)
    assert handled == ([] if asked is ScriptRequestType.CONTINUE else [runner])


def remembering():
    import streamlit as st

    state = st.session_state
    runs = state.setdefault("runs", [])
    runs.append({name: state.get(name, "gone") for name in ("number", "own", "unsaid")})
    state["own"] = len(runs)
    runs[-1]["then"] = state["own"]
    st.number_input("Number", 0, 9, 1, key="number", on_change=lambda: state.pop("own"))
    runs[-1]["drawn"] = state["number"]


@pytest.mark.usefixtures("shortcuts")
def test_what_is_kept_is_found_whether_a_widget_has_its_name_or_not():
    app = AppTest.from_function(remembering).run()
    app.number_input(key="number").set_value(5).run()
    app.run()
    assert app.session_state["runs"] == [
        {"number": "gone", "own": "gone", "unsaid": "gone", "then": 1, "drawn": 1},
        {"number": 5, "own": "gone", "unsaid": "gone", "then": 2, "drawn": 5},
        {"number": 5, "own": 2, "unsaid": "gone", "then": 3, "drawn": 5},
    ]
