"""The route by which torch arrives: CPU only on Community Cloud, no index to wait for elsewhere."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).resolve().parents[2]
LINES = [
    line
    for line in (ROOT / "requirements.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
PIPFILE = tomllib.loads((ROOT / "Pipfile").read_text())
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TORCH = "2.13.0"


def requirements(lines=LINES):
    return {requirement.name: requirement for requirement in map(Requirement, lines)}


def test_requirements_are_plain_names_so_that_pip_waits_for_no_other_index():
    """Every line parses as a requirement: no option, and neither a URL nor a marker in any."""
    assert len(requirements()) == len(LINES)
    for requirement in requirements().values():
        assert requirement.url is None, requirement
        assert requirement.marker is None, requirement


def test_torch_is_pinned_and_everything_else_is_bounded_above():
    assert requirements()["torch"].specifier == SpecifierSet(f"=={TORCH}")
    for requirement in requirements().values():
        operators = {specifier.operator for specifier in requirement.specifier}
        assert operators & {"==", "<"}, f"{requirement} has no upper bound"


def test_cloud_takes_torch_and_nothing_else_from_the_cpu_index():
    default, cpu = PIPFILE["source"]
    assert default["url"] == "https://pypi.org/simple"
    assert cpu["url"] == "https://download.pytorch.org/whl/cpu"
    torch = PIPFILE["packages"]["torch"]
    assert torch == {"version": f"=={TORCH}+cpu", "index": cpu["name"]}
    assert SpecifierSet(f"=={TORCH}").contains(torch["version"].removeprefix("=="))
    others = [entry for name, entry in PIPFILE["packages"].items() if name != "torch"]
    assert all(isinstance(entry, str) for entry in others)


def test_cloud_installs_what_requirements_say():
    asked = {name: r.specifier for name, r in requirements().items() if name != "torch"}
    on_cloud = {n: SpecifierSet(e) for n, e in PIPFILE["packages"].items() if n != "torch"}
    assert on_cloud == asked


def test_no_file_takes_precedence_over_the_pipfile_on_cloud():
    """Community Cloud reads the first of uv.lock, Pipfile, environment.yml, requirements.txt."""
    assert not (ROOT / "uv.lock").exists()


def test_the_library_needs_no_user_interface_and_runs_on_the_pinned_torch():
    library = requirements(PYPROJECT["project"]["dependencies"])
    assert not set(library) & {"streamlit", "altair", "plotly", "pandas"}
    assert set(library) <= set(requirements())
    assert library["torch"].specifier.contains(TORCH)


def test_tests_build_on_the_requirements_of_the_app():
    lines = (ROOT / "tests" / "requirements.txt").read_text().splitlines()
    assert "-r ../requirements.txt" in lines
