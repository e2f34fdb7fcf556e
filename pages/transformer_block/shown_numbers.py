"""Which numbers of a stage its column shows, and all of them as a table."""

from functools import partial

import numpy as np
import pandas as pd

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import Stage, Trace, streams
from pages.shared.charts.palette import numbered, visible
from pages.shared.components.attention import data_popover
from pages.shared.csv_files import safe_csv
from pages.shared.models.read_sentences import Sentence
from pages.transformer_block.said_early import Lens

_SHOWN = 16
"""Numbers of a token that a column shows."""


def units_of_stream(sentence: Sentence, found: Trace) -> np.ndarray:
    """Return the units of the stream in which the tokens differ most at its end, in order."""
    spread = found[streams(sentence.config)[-1]].var(0, unbiased=False).numpy()
    return np.sort(np.argsort(-spread)[:_SHOWN])


def readable(found: Trace, stage: Stage, lens: Lens, units: np.ndarray) -> np.ndarray:
    """Return a stage as so many numbers a token: of the stream always the same units."""
    return _values(found, stage)[:, _places(found, stage, lens, units)]


def stage_data(sentence: Sentence, found: Trace, stage: Stage, lens: Lens) -> None:
    """Fold away the numbers of a column; all numbers of the stage are a further file."""
    name = f"{stage.name}{'' if stage.layer is None else f'-{stage.layer + 1}'}".replace("_", "-")
    whole = {} if stage == stream.LOGITS else {"all": partial(_all_csv, sentence, found, stage)}
    data_popover(
        partial(_shown_frame, sentence, found, stage, lens),
        key="stage_data",
        name=f"transformer-block-{name}",
        more=whole,
    )


def _values(found: Trace, stage: Stage) -> np.ndarray:
    values = found[stage].numpy()
    # Of a head it is how long the vector is that it has mixed.
    return np.linalg.norm(values, axis=-1) if stage.name == stream.HEADS else values


def _places(found: Trace, stage: Stage, lens: Lens, units: np.ndarray) -> np.ndarray:
    if stage == stream.LOGITS:
        return lens.best[-1]
    if stage.name == stream.HEADS:
        return np.arange(found[stage].shape[1])
    if stage.name in (stream.WIDENED, stream.ACTIVATED):
        largest = found[Stage(stream.ACTIVATED, stage.layer)].numpy().max(0)
        return np.sort(np.argsort(-largest)[:_SHOWN])
    return units


def _shown_frame(sentence: Sentence, found: Trace, stage: Stage, lens: Lens) -> pd.DataFrame:
    places = _places(found, stage, lens, units_of_stream(sentence, found))
    return _frame(sentence, stage, places, _values(found, stage)[:, places])


def _all_csv(sentence: Sentence, found: Trace, stage: Stage) -> str:
    values = found[stage].numpy().reshape(len(sentence.symbols), -1)
    return safe_csv(_frame(sentence, Stage("all"), np.arange(values.shape[1]), values))


def _frame(
    sentence: Sentence, stage: Stage, places: np.ndarray, values: np.ndarray
) -> pd.DataFrame:
    symbols = sentence.vocabulary.symbols
    kind = "length of head" if stage.name == stream.HEADS else "unit"
    names = [
        f"logit of {visible(symbols[i])}" if stage == stream.LOGITS else f"{kind} {i + 1}"
        for i in places.tolist()
    ]
    frame = pd.DataFrame(values.round(5), columns=names)
    frame.insert(0, "token", numbered(sentence.symbols))
    return frame
