"""Every notebook runs from its first cell to its last, with `lm_core` alone."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


def test_there_are_notebooks():
    assert len(NOTEBOOKS) >= 3


def test_they_run_without_the_app(monkeypatch):
    """In one kernel, which forgets every name between two notebooks: importing torch takes longest."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # other tests run beside it
    together = nbformat.v4.new_notebook()
    for path in NOTEBOOKS:
        notebook = nbformat.read(path, as_version=4)
        source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
        assert "lm_core" in source
        assert "streamlit" not in source
        assert not any(cell.get("outputs") for cell in notebook.cells), (
            "committed notebooks hold no outputs"
        )
        together.cells += [nbformat.v4.new_code_cell("%reset -f"), *notebook.cells]
    NotebookClient(together, timeout=120, kernel_name="python3").execute()
