"""How much worse models are than the full one, as bars that can be tapped."""

from collections.abc import Mapping

import pandas as pd

from lm_core.experiments.ablations.variants import VARIANTS
from pages.ablations.curve_choice import style_of
from pages.shared.charts.comparisons import difference_bars
from pages.shared.charts.palette import GUESS
from pages.shared.ui.figures import show_chart

_AXIS = "extra loss (nats per character)"


def as_guessed(title: str) -> str:
    """Return a model's title as that of a guess."""
    return f"{title} ({GUESS})"


def difference_frame(differences: Mapping[str, float | None], guessed: str = "") -> pd.DataFrame:
    """Return a row for each model; a guessed one under another name."""
    titles = {name: VARIANTS[name].title for name in differences}
    return pd.DataFrame(
        [
            (
                as_guessed(titles[name]) if name == guessed else titles[name],
                found,
                style_of(name).colour,
            )
            for name, found in differences.items()
        ],
        columns=["model", "difference", "colour"],
    ).astype({"difference": float})


def draw_differences(frame: pd.DataFrame, noise: float, finding: str, *, key: str) -> None:
    """Draw the bars, with the band that another seed would make."""
    show_chart(
        difference_bars(frame, noise=noise, title=_AXIS, is_clickable=True),
        frame[["model", "difference"]].sort_values("difference"),
        key=key,
        alt=f"Loss on the last tenth of the book minus the full model's. {finding}.",
        name=key.replace("_", "-"),
        selectable=True,
    )
