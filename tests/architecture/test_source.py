"""What the code never does."""

import ast
import re
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = [ROOT / "app.py", *(p for d in ("pages", "lm_core") for p in (ROOT / d).rglob("*.py"))]

# What it is, and who may.
FORBIDDEN = {
    "unsafe_allow_html": (),
    "unsafe_allow_javascript": (),
    "innerHTML": (),
    # Between two attempts at a download, and at a file that another process makes.
    "time.sleep": ("lm_core/text/download.py", "lm_core/classroom/database.py"),
    "st.fragment": ("pages/shared/turns.py",),  # whose fragments take turns
    "st.switch_page": ("pages/shared/ui/controls.py",),  # `follow_link`, which keeps the class
    # Cut short where one page's name ends with another's: `this_server`.
    "st.context.url": ("pages/shared/server/streamlit_inside/visit.py",),
    "urlencode": ("pages/shared/ui/addresses.py",),  # `link_to`
    # They would import torch's compiler: these are in `eager_optimizers`.
    **dict.fromkeys(
        (f"torch.optim.{name}" for name in ("SGD", "Adam", "AdamW", "Muon")),
        ("lm_core/training/eager_optimizers.py",),
    ),
    "torch.manual_seed": (),
    "np.random.seed": (),
    "print": ("lm_core/cli/*", "lm_core/experiments/*/command.py"),
}


@cache
def names_in(path):
    """Return every name, attribute and keyword of a file, dotted where it is dotted."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.Name, ast.Attribute)):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.keyword) and node.arg:
            found.add(node.arg)
    return found


@pytest.mark.parametrize("name", FORBIDDEN)
def test_forbidden_names_stand_nowhere(name):
    guilty = {path.relative_to(ROOT).as_posix() for path in FILES if name in names_in(path)}
    allowed = {path for path in guilty for pattern in FORBIDDEN[name] if fnmatch(path, pattern)}
    assert guilty == allowed


@pytest.mark.parametrize(
    "path", sorted((ROOT / "pages").glob("*/page.py")), ids=lambda path: path.parent.name
)
def test_the_script_of_a_page_keeps_nothing(path):
    """It is run anew for each move, so what it would keep it reads or computes in each; modules are kept."""
    assert not names_in(path) & {"cache", "lru_cache", "functools.cache", "functools.lru_cache"}


def _is_of_streamlit(call):
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == "st"


@pytest.mark.parametrize("path", sorted((ROOT / "pages").rglob("*.py")), ids=lambda p: p.name)
def test_an_error_reaches_the_page_through_show_error(path):
    """Streamlit would read its message as Markdown."""
    for handler in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(handler, ast.ExceptHandler) and handler.name:
            calls = (
                n for n in ast.walk(handler) if isinstance(n, ast.Call) and _is_of_streamlit(n)
            )
            names = {n.id for call in calls for n in ast.walk(call) if isinstance(n, ast.Name)}
            assert handler.name not in names


FIELD = re.compile(r"\{[A-Za-z_]\w*(\.\w+)*(\.\w+|:[,.]?\d*[a-z%,])\}")


def fields_left_as_text(source):
    """Return what stands in braces in a line without an f, of a text whose other lines have one."""
    strings = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.JoinedStr)]
    texts = [part.value for one in strings for part in one.values if isinstance(part, ast.Constant)]
    return [found[0] for text in texts for found in FIELD.finditer(text)]


def test_each_field_of_a_text_is_filled_in():
    assert fields_left_as_text('said = f"{n} steps," " {run.loss:.2f} nats"') == ["{run.loss:.2f}"]
    assert not fields_left_as_text('said = f"{n}: $W_{{xh}}$, {run.loss:.2f}"')
    left = {path.name: fields_left_as_text(path.read_text(encoding="utf-8")) for path in FILES}
    assert {name: fields for name, fields in left.items() if fields} == {}


def test_scripts_of_components_never_set_html():
    scripts = list((ROOT / "pages").rglob("*.js"))
    assert scripts
    for path in scripts:
        text = path.read_text(encoding="utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in text, f"{path.name} uses {word}"
