"""What is shipped beside the code fits into its budget: `pytest -s tests/architecture/test_assets.py`."""

import json
from collections import Counter
from pathlib import Path

ASSETS = Path(__file__).parents[2] / "assets"
BUDGET = 150e6
"""Bytes, with the chapters to come: a clone stays quick, and Streamlit's Community Cloud accepts it."""


def share_of(path: Path) -> str:
    """Return what a file belongs to: a model with its snapshots, or one kind of other files."""
    kind, *rest = path.relative_to(ASSETS).parts
    if kind != "checkpoints":
        return kind
    meta = json.loads((ASSETS / kind / rest[0] / "meta.json").read_text())
    return f"{meta['snapshot_of']}, snapshots" if meta["snapshot_of"] else meta["name"]


def test_assets_stay_within_their_budget():
    shares = Counter()
    for path in ASSETS.rglob("*"):
        if path.is_file():
            shares[share_of(path)] += path.stat().st_size
    for name, size in shares.most_common():
        print(f"{size / 1e6:8.2f} MB  {size / BUDGET:6.1%}  {name}")
    print(f"{shares.total() / 1e6:8.2f} MB  {shares.total() / BUDGET:6.1%}  of the budget")
    assert shares.total() < BUDGET
