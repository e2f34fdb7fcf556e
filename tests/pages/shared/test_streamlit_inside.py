"""What the lab takes of Streamlit's inner side is there, by name; where it is not, the lab runs without."""

import ast
import logging
import re
import subprocess
import sys

import pytest

from lm_core.errors import SettingError
from pages.shared.server.streamlit_inside import reliances
from pages.shared.server.streamlit_inside.reliances import RELIANCES, Reliance, is_on, is_there
from tests.conftest import ROOT

INSIDE = ROOT / "pages" / "shared" / "server" / "streamlit_inside"
MODULES = sorted(INSIDE.glob("*.py"))
NAMES = sorted({name for reliance in RELIANCES for name in reliance.names})
DECLARED = {part for name in NAMES for part in re.split(r"[.:]", name.partition("(")[0])}
ANYWHERE = {"streamlit", "streamlit.delta_generator", "google.protobuf.message"}
"""Modules whose names are no secret."""
ALWAYS_IMPORTED = {"__init__", "reliances", "visit", "addresses", "sessions", "messages"}
ALWAYS_IMPORTED |= {"front_end_files"}
"""Modules of the room that are imported whatever Streamlit has."""


def tree(path):
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_this_version_of_streamlit_has(name):
    assert is_there(name), f"this version of Streamlit has no {name}"


@pytest.mark.parametrize(
    "name",
    [
        "streamlit.no_such_module:anything",
        "streamlit.runtime.app_session:AppSession._no_such_method",
        "streamlit.runtime.app_session:AppSession._no_such_method.and_below",
        "streamlit.runtime.app_session:AppSession.request_rerun(self, other)",
        "streamlit.runtime.state.session_state:SessionState._no_such_field",
        "static/static/media/NoSuchFont.*.woff2",
        "part NoSuchPart",
    ],
)
def test_what_is_gone_is_not_there(name):
    assert not is_there(name)


@pytest.fixture
def another_version(monkeypatch):
    """Streamlit without one name; what was looked up before is forgotten."""

    def lose(lost):
        monkeypatch.setattr(reliances, "is_there", lambda name: name != lost)

    is_on.cache_clear()
    yield lose
    is_on.cache_clear()


def test_what_is_missing_is_said_once_by_name(another_version, caplog):
    another_version("module:gone")
    one = Reliance("Flying", "one walks", ("module:here", "module:gone"))
    with caplog.at_level(logging.WARNING):
        assert not is_on(one)
        assert not is_on(one)
    (said,) = caplog.messages
    assert "Flying: this is off, so one walks. Streamlit" in said
    assert said.endswith("has no module:gone.")


def test_without_what_it_cannot_serve_the_lab_does_not_start(another_version):
    another_version("module:gone")
    with pytest.raises(SettingError, match="has no module:gone"):
        is_on(Reliance("Serving", "", ("module:gone",)))


def taken_by(path):
    """Yield the names of others' modules, and those beginning with an underscore, that a module takes."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ImportFrom) and node.module not in ANYWHERE:
            if node.module.startswith(("streamlit", "uvicorn")):
                yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            yield from [node.attr] * (ast.unparse(node.value) != "self")


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_each_private_name_that_the_room_takes_is_declared(path):
    undeclared = set(taken_by(path)) - DECLARED
    assert not undeclared, f"name {undeclared} in a Reliance"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.stem)
def test_what_is_imported_whatever_streamlit_has_asks_for_no_private_name(path):
    if path.stem not in ALWAYS_IMPORTED:
        return
    top = [node for node in tree(path).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    modules = {getattr(node, "module", None) or node.names[0].name for node in top}
    assert {name for name in modules if name.startswith(("streamlit", "uvicorn"))} <= ANYWHERE


WITHOUT = """
from pages.shared.server.streamlit_inside import reliances
from pages.shared.server.streamlit_inside.reliances import RELIANCES
kept = {name for reliance in RELIANCES if not reliance.without for name in reliance.names}
reliances.is_there = kept.__contains__
import sys
from streamlit.runtime.app_session import AppSession
before = AppSession.request_rerun
from starlette.testclient import TestClient
from pages.shared.registry import page_at
from pages.shared.ui.addresses import this_server
from tests.pages.visits import visit
from pages.shared.server.front_end import front_end
from pages.shared.server.guards import server_guards
from pages.shared.server.guards.uploads import uploads_held
from pages.shared.server.streamlit_inside.addresses import allowed_origins, own_addresses
from pages.shared.server.streamlit_inside.sessions import forget_closed_sessions

app = visit(page_at("").path)
app = visit(page_at("clustering").path, clusters="5")
assert app.session_state["lab_drawn"]["clusters"].values == ("5",)
app.slider(key="clusters").set_value(4).run()
assert not app.exception
assert app.session_state["lab_drawn"]["clusters"].values == ("4",)
visit(page_at("attention").path)
assert server_guards(1024) and front_end()
assert own_addresses() == [] and uploads_held() == {}
allowed_origins(), forget_closed_sessions(), this_server()
assert AppSession.request_rerun is before
"""


def test_the_lab_starts_and_its_pages_draw_without_any_of_them():
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    for reliance in RELIANCES:
        if reliance.without:
            assert f"{reliance.what}: this is off" in done.stderr
