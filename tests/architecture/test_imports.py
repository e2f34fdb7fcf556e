"""Imports fall one way, room by room: the table below is the architecture of the project."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

BASE = {"assets", "bounded_work", "errors", "files", "results", "rng", "settings", "whole_numbers"}
MAY_IMPORT = {
    "text": BASE,
    "classroom": BASE,
    "models": BASE | {"text"},
    "clustering": BASE,
    "generation": BASE | {"text", "models"},
    "analysis": BASE | {"text", "models", "generation", "clustering"},
    "training": BASE | {"text", "models"},
    "jobs": BASE | {"text", "models", "training"},
    "experiments": BASE
    | {"text", "models", "clustering", "generation", "analysis", "training", "jobs"},
    "cli": BASE
    | {"text", "models", "clustering", "generation", "analysis", "training", "jobs"}
    | {"experiments"},
}
"""Which rooms of `lm_core` each may import, beside itself. No circle can hide in it: read downwards,
a room imports only what stands above its line."""

SHARED_BASE = {
    "allowances",
    "counts",
    "csv_files",
    "glossary",
    "guesses",
    "numbers",
    "own_source",
    "registry",
} | {"suggestions", "ten_minutes", "word_links"}
LIES_ELSEWHERE = {
    "ui.markdown": "words",
    "ui.messages": "words",
    "ui.first_screen": "frame",
    "ui.lesson": "frame",
    "paced": "turns",
    "reconnects": "turns",
    "navigation": "entry",
    "serving": "entry",
}
"""Modules of `pages.shared` that belong to another floor than their folder's, or have no folder."""
_WIDGETS = SHARED_BASE | {"charts", "server", "words", "turns", "ui"}
MAY_SHARE = {
    "charts": SHARED_BASE,
    "words": SHARED_BASE | {"charts"},
    "server": SHARED_BASE,
    "turns": SHARED_BASE | {"words"},
    "ui": _WIDGETS,
    "components": _WIDGETS,
    "units": _WIDGETS | {"components"},
    "rooms": _WIDGETS,
    "trainings": _WIDGETS | {"rooms"},
    "models": _WIDGETS | {"trainings"},
    "clustering": _WIDGETS | {"components", "models"},
    "classroom": _WIDGETS | {"components", "rooms", "trainings"},
    "lessons": _WIDGETS | {"classroom"},
    "frame": _WIDGETS | {"rooms", "trainings", "classroom", "lessons"},
    "page": _WIDGETS | {"classroom", "frame"},
    "entry": _WIDGETS | {"rooms", "models"},
}
"""Which floors of `pages.shared` each may import, beside itself; read downwards, like `MAY_IMPORT`."""

MODULES = sorted((ROOT / "lm_core").rglob("*.py"))
PAGE_FILES = sorted(p for p in ROOT.glob("pages/*/*.py") if p.parent.name != "shared")
BENCHMARKS = sorted((ROOT / "tests" / "benchmarks").glob("*.py"))
SHARED = sorted(
    {*(ROOT / "pages" / "shared").rglob("*.py")} - {ROOT / "pages" / "shared" / "__init__.py"}
)

IMPORT_WITHOUT_A_UI = """
import importlib, pkgutil, sys
for name in ("streamlit", "altair", "plotly", "pandas"):
    sys.modules[name] = None  # importing it now raises ImportError
import lm_core
for module in pkgutil.walk_packages(lm_core.__path__, "lm_core."):
    importlib.import_module(module.name)
"""


def dotted(path):
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def imported(path):
    """Return the modules that a file imports; of ``from a import b`` both a and a.b."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def room_of(name):
    """Return the second part of a dotted name, if it has one."""
    return name.split(".")[1] if "." in name else ""


def floor_of(name):
    """Return the floor on which a module of `pages.shared` stands."""
    own = name.removeprefix("pages.shared.")
    return (
        LIES_ELSEWHERE.get(own) or LIES_ELSEWHERE.get(own.rpartition(".")[0]) or own.split(".")[0]
    )


def run(source):
    return subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=False
    )


def circle_in(arrows):
    """Return a circle of modules that import each other, or None."""
    done, path = set(), []

    def visit(module):
        if module in path:
            return [*path[path.index(module) :], module]
        if module in done:
            return None
        path.append(module)
        found = next(filter(None, map(visit, sorted(arrows.get(module, ())))), None)
        path.pop()
        done.add(module)
        return found

    return next(filter(None, map(visit, sorted(arrows))), None)


def test_every_room_has_its_line_in_the_table():
    rooms = {p.parent.name for p in ROOT.glob("lm_core/*/__init__.py")}
    assert rooms == set(MAY_IMPORT)


@pytest.mark.parametrize("table", [MAY_IMPORT, MAY_SHARE], ids=["lm_core", "pages.shared"])
def test_a_table_has_no_circle(table):
    below = {room: may - {room} for room, may in table.items()}
    assert circle_in(below) is None


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_room_imports_only_rooms_below_it(path):
    room = path.relative_to(ROOT / "lm_core").parts[0]
    if room not in MAY_IMPORT:
        return  # the base, and the entry that hands over to cli
    theirs = {room_of(name) for name in imported(path) if name.startswith("lm_core.")}
    assert theirs <= MAY_IMPORT[room] | {room}


@pytest.mark.parametrize("path", SHARED, ids=dotted)
def test_what_pages_share_imports_only_floors_below_it(path):
    floor = floor_of(dotted(path).removesuffix(".__init__"))
    theirs = {floor_of(name) for name in imported(path) if name.startswith("pages.shared.")}
    may = SHARED_BASE if floor in SHARED_BASE else MAY_SHARE[floor]
    assert theirs <= may | {floor}


def test_every_floor_of_what_pages_share_is_there():
    floors = {floor_of(dotted(path).removesuffix(".__init__")) for path in SHARED}
    assert floors == SHARED_BASE | set(MAY_SHARE)
    known = {dotted(path).removeprefix("pages.shared.") for path in SHARED}
    assert known >= set(LIES_ELSEWHERE)


def test_no_circle_of_modules():
    known = {dotted(path).removesuffix(".__init__"): path for path in [*MODULES, *SHARED]}
    arrows = {name: imported(path) & set(known) - {name} for name, path in known.items()}
    assert circle_in(arrows) is None


def test_the_core_imports_where_there_is_no_user_interface():
    finished = run(IMPORT_WITHOUT_A_UI)
    assert finished.returncode == 0, finished.stderr


def test_the_core_never_imports_pages():
    for path in MODULES:
        assert not {n for n in imported(path) if n.split(".")[0] in {"pages", "app"}}, path


def test_jobs_know_no_experiment_by_name():
    for path in (ROOT / "lm_core" / "jobs").rglob("*.py"):
        assert not {n for n in imported(path) if n.startswith("lm_core.experiments")}, path


@pytest.mark.parametrize("path", PAGE_FILES, ids=dotted)
def test_a_page_imports_what_all_share_and_its_own_parts(path):
    allowed = ("pages.shared", f"pages.{path.parent.name}")
    ours = {name for name in imported(path) if name.split(".")[0] == "pages"}
    assert all(name.startswith(allowed) for name in ours)


@pytest.mark.parametrize("path", SHARED, ids=dotted)
def test_shared_helpers_never_import_a_page(path):
    ours = {name for name in imported(path) if name.startswith("pages.")}
    assert all(name == "pages.shared" or name.startswith("pages.shared.") for name in ours)


def test_charts_need_neither_torch_nor_streamlit():
    modules = [dotted(path) for path in SHARED if path.parent.name == "charts"]
    finished = run(
        f"import sys, {', '.join(modules)}\nsys.exit({{'torch', 'streamlit'}} & set(sys.modules) != set())"
    )
    assert finished.returncode == 0, finished.stderr


def test_nothing_runnable_lies_directly_in_pages():
    """Streamlit would list it in a menu of its own to the first visitor."""
    assert list((ROOT / "pages").glob("*.py")) == []


def test_what_the_benchmarks_import_of_the_project_is_there():
    """They are run by hand; no other test would see that a name is gone."""
    ours = {
        name
        for path in BENCHMARKS
        for name in imported(path)
        if name.split(".")[0] in ("lm_core", "pages", "tests")
    }
    finished = run(f"import pkgutil\nfor name in {sorted(ours)}: pkgutil.resolve_name(name)")
    assert finished.returncode == 0, finished.stderr
