"""The published figures, as `figures.toml` lists them."""

import tomllib
from collections.abc import Iterator
from functools import partial
from importlib.resources import files
from typing import Any

from lm_core.experiments.published_figures import (
    attention,
    clustering,
    equalities,
    language_models,
    recurrent_networks,
    war_and_peace,
    words,
)
from lm_core.experiments.published_figures.record import READERS, RULES, PublishedFigure, within

SUBJECTS = (
    recurrent_networks,
    clustering,
    words,
    language_models,
    attention,
    equalities,
    war_and_peace,
)
"""The modules whose functions read what stands beside the figures: importing them makes these known."""


def _rows() -> Iterator[dict[str, Any]]:
    written = files(__package__).joinpath("figures.toml").read_text(encoding="utf-8")
    for table in tomllib.loads(written)["figure"]:
        for own in table.pop("each", [{}]):
            yield table | own


def _figure(
    *,
    ours: str = "not reproduced",
    arguments: dict[str, Any] | None = None,
    needs: str = "",
    rule: str = "",
    why: str = "",
    **fields: Any,
) -> PublishedFigure:
    distance = fields.pop("within", None)
    return PublishedFigure(
        ours=partial(READERS[ours], **({"needs": needs} if needs else arguments or {})),
        rule=RULES[rule] if distance is None else within(distance, why),
        **fields,
    )


FIGURES = tuple(_figure(**row) for row in _rows())
"""All of them, by subject."""
