"""Every notebook runs from its first cell to its last, with `lm_core` alone."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_runs_without_the_app(path, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # other tests run beside it
    notebook = nbformat.read(path, as_version=4)
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    assert "lm_core" in source
    assert "streamlit" not in source
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    assert not any(cell.get("outputs") for cell in nbformat.read(path, as_version=4).cells), (
        "committed notebooks hold no outputs"
    )
