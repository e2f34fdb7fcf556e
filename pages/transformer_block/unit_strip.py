"""A unit over the text: each token in the colour of its activation there."""

from functools import partial

import numpy as np
import pandas as pd

from pages.shared import page
from pages.shared.charts.palette import numbered
from pages.shared.components.attention import data_popover
from pages.shared.components.texts import ON, Tint, tinted_text
from pages.transformer_block.unit_text import UnitText

_STRONGEST = 80


def unit_strip(text: UnitText, unit: int) -> None:
    """Draw the text, each token in the colour of the unit's activation."""
    n = len(text.sentence.symbols)
    activation = text.units.activations[: text.n_drawn, unit].astype(np.float32)
    shares = np.clip(activation / max(float(activation.max()), 1e-6), 0.0, 1.0)
    strengths = np.round(_STRONGEST * shares).astype(int).tolist()
    tints = [
        Tint((ON,), strength, f"activation {value:+.2f}")
        for value, strength in zip(activation.tolist(), strengths, strict=True)
    ]
    tinted_text(
        list(text.sentence.symbols[: text.n_drawn]),
        tints,
        key="unit_strip",
        legend=[(ON, f"unit {text.units.name_of(unit)} is on")],
        unit="token",
        label=f"The text, each token in the colour of the activation of unit {text.units.name_of(unit)}",
        click_hint="Point at a token: the unit's activation there."
        + (f" The first {text.n_drawn} of {n:,} tokens are drawn." if text.is_long else ""),
    )
    if not page.is_presenting():
        data_popover(partial(_table, text, unit), key="unit_strip_data", name="unit-over-text")


def _table(text: UnitText, unit: int) -> pd.DataFrame:
    """Return the unit's activation at every token, those that are not drawn, too."""
    columns = {
        "token": numbered(text.sentence.symbols),
        "activation": text.units.activations[:, unit].astype(np.float32).round(4),
    }
    return pd.DataFrame(columns)
