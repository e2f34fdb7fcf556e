"""A visitor's own list of names: asked for, read, kept for the visit, and forgotten."""

from collections.abc import Sequence
from typing import Any

from lm_core.experiments.neural_language_model.own_names import FEWEST_NAMES, MOST_NAMES, read_names
from lm_core.text.file_limits import LIMITS
from pages.shared.turns import page_turns
from pages.shared.ui.own_texts import Handed, OwnTexts


def _learnable(handed: Sequence[Handed]) -> dict[str, Any]:
    """Return a list, if it can be learned, and what was noted about it."""
    (brought,) = handed
    with page_turns.lent():
        read_names(brought.own.text)
    notes = [*brought.read_as("The file"), *brought.own.doubts]
    return {"text": brought.own.text, "notes": notes}


OWN_NAMES = OwnTexts(
    key="own_names",
    kept="neural-language-model.own_names",
    title="Your own names",
    about=f"{FEWEST_NAMES} to {MOST_NAMES:,} names in any script: one a line, parted by commas, or in"
    " the first column of a table.",
    files="A list",
    paste="or paste it",
    use="Learn them",
    most_bytes=LIMITS.names,
    understood=_learnable,
    nothing={"text": "", "notes": []},
)
