"""Imports run one way: app -> pages/<chapter> -> pages/shared -> lm_core -> torch, numpy."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHARED = sorted((ROOT / "pages" / "shared").rglob("*.py"))
CHAPTER_PAGES = sorted(p for p in ROOT.glob("pages/*/*.py") if p.parent.name != "shared")

IMPORT_WITHOUT_A_UI = """
import importlib, pkgutil, sys
for name in ("streamlit", "altair", "plotly", "pandas"):
    sys.modules[name] = None  # importing it now raises ImportError
import lm_core
for module in pkgutil.walk_packages(lm_core.__path__, "lm_core."):
    importlib.import_module(module.name)
"""


def imported(path):
    """Return the modules that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def run(source):
    return subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False
    )


def test_the_core_imports_where_there_is_no_user_interface():
    finished = run(IMPORT_WITHOUT_A_UI)
    assert finished.returncode == 0, finished.stderr


def test_the_core_never_imports_pages():
    for path in (ROOT / "lm_core").rglob("*.py"):
        assert not {n for n in imported(path) if n.split(".")[0] in {"pages", "app"}}, path


@pytest.mark.parametrize("path", CHAPTER_PAGES, ids=lambda path: path.stem)
def test_pages_never_import_each_other(path):
    """A page imports what all share, and parts of its own: a folder beside it that is no page."""
    pages = {".".join(p.relative_to(ROOT).with_suffix("").parts) for p in CHAPTER_PAGES}
    own_parts = f"pages.{path.parent.name}."
    ours = {name for name in imported(path) if name.split(".")[0] == "pages"}
    assert not ours & pages
    assert all(name.startswith(("pages.shared", own_parts)) for name in ours)


@pytest.mark.parametrize("path", SHARED, ids=lambda path: path.stem)
def test_shared_helpers_never_import_a_page(path):
    ours = {name for name in imported(path) if name.startswith("pages.")}
    assert all(name == "pages.shared" or name.startswith("pages.shared.") for name in ours)


def test_charts_need_neither_torch_nor_streamlit():
    finished = run(
        "import sys, pages.shared.charts; sys.exit({'torch', 'streamlit'} & set(sys.modules) != set())"
    )
    assert finished.returncode == 0, finished.stderr


def test_nothing_runnable_lies_directly_in_pages():
    """Streamlit would list it in a menu of its own to the first visitor."""
    assert list((ROOT / "pages").glob("*.py")) == []
