"""Where the shipped models and results lie: beside a checkout, or where ``LM_LAB_ASSETS`` says."""

import os
from pathlib import Path

ASSETS = Path(os.environ.get("LM_LAB_ASSETS") or Path(__file__).resolve().parents[1] / "assets")
CHECKPOINTS, RESULTS, TOKENIZERS = ASSETS / "checkpoints", ASSETS / "results", ASSETS / "tokenizers"
