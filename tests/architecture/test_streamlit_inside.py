"""Nobody but `streamlit_inside` reaches into Streamlit, and all that styles and scripts look for is listed."""

import ast
import re

from tests import streamlit_selectors
from tests.conftest import ROOT

INSIDE = ROOT / "pages" / "shared" / "server" / "streamlit_inside"
OTHERS = [
    ROOT / "app.py",
    *sorted(p for p in (ROOT / "pages").rglob("*.py") if INSIDE not in p.parents),
]
PUBLIC = {
    "streamlit",
    "streamlit.delta_generator.DeltaGenerator",
    "uvicorn.middleware.proxy_headers.ProxyHeadersMiddleware",
}
"""What others import, as the documentation has it: all else of Streamlit is within `st`."""
OF_RECORDS = {"_replace", "_asdict", "_fields", "_field_defaults"}
OUR_OWN = {"_context_vector"}  # private names of the lab's own that a page shows as code
NOT_ANYWHERE = {"identities", "shortcuts", "fragment_runs", "history_moves", "forgotten_controls"}
NOT_ANYWHERE |= {"compressed_messages"}
"""Modules of the room that can be imported only where `is_on` has found all names that they take."""


def dotted(path):
    return path.relative_to(ROOT).as_posix()


def imported(node):
    """Return what a node imports: of ``from a import b`` a.b, of ``import a`` a."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    if isinstance(node, ast.ImportFrom):
        return {f"{node.module}.{alias.name}" for alias in node.names}
    return set()


def private_names(path):
    """Yield what a module takes of others that they do not promise."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        for name in imported(node):
            of_room = re.sub(r".*\.streamlit_inside\.", "", name).partition(".")[0]
            is_theirs = re.match(r"(streamlit|uvicorn)\b", name) and name not in PUBLIC
            if is_theirs or of_room in NOT_ANYWHERE:
                yield name
        if isinstance(node, ast.Attribute) and re.match(r"_[a-z]", node.attr):
            owner = ast.unparse(node.value)
            if owner not in ("self", "cls") and node.attr not in OF_RECORDS | OUR_OWN:
                yield f"{owner}.{node.attr}"


def test_nobody_else_takes_a_private_name():
    taken = {dotted(path): sorted(private_names(path)) for path in OTHERS}
    assert {path: names for path, names in taken.items() if names} == {}


def test_all_that_styles_and_scripts_look_for_is_listed_and_nothing_else():
    test_ids, classes, attributes = streamlit_selectors.looked_for()
    assert test_ids == set(streamlit_selectors.TEST_IDS)
    assert classes == set(streamlit_selectors.CLASSES)
    assert attributes == set(streamlit_selectors.ATTRIBUTES)
