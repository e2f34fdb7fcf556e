"""Where the shipped models and results lie: beside a checkout, or where ``LM_LAB_ASSETS`` says."""

import os
from pathlib import Path

ASSETS = Path(os.environ.get("LM_LAB_ASSETS") or Path(__file__).resolve().parents[1] / "assets")
CHECKPOINTS, RESULTS, TOKENIZERS = ASSETS / "checkpoints", ASSETS / "results", ASSETS / "tokenizers"
THUMBNAILS, LESSONS = ASSETS / "thumbnails", ASSETS / "lessons"
ICON = ASSETS / "icon.svg"


def shown(path: Path) -> str:
    """Return how messages name a file: a shipped one from its folder of assets on, others in full."""
    return path.relative_to(ASSETS.parent).as_posix() if path.is_relative_to(ASSETS) else str(path)


def absence() -> str:
    """Say where the shipped files should be, if there is no such folder; nothing if there is one."""
    if ASSETS.is_dir():
        return ""
    return (
        f"the shipped models and results must be in {ASSETS}, as beside a checkout, or in the folder"
        " that the variable LM_LAB_ASSETS names: get a checkout and set it"
    )
