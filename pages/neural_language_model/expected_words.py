"""What counts and a network expect after the words."""

import pyarrow as pa

from lm_core.experiments.neural_language_model.sentences import (
    CONTEXT_SIZE,
    SentenceSnapshot,
    counted_after,
)
from pages.neural_language_model.few_sentences import Asked, Learned
from pages.shared import page
from pages.shared.charts.predictions import REST, prediction_table, with_stage_that_waits
from pages.shared.numbers import percent

ROOMS = ("kitchen", "garden", "door")
ANSWERS = {"0 %": 0.0, "8 %": 3 / 36, "50 %": 0.5, "99 %": 0.99}
_ROWS = 6
_NETWORK = "network"


def draw_expected(
    learned: Learned, asked: Asked, snapshot: SentenceSnapshot, question: page.Asked
) -> pa.Table:
    """Return what counts and the network expect; the network's share waits for the guess."""
    words = learned.corpus.words
    whole, seen, n_words = counted_after(learned.tables, asked.ids)
    stages = {f"n = {CONTEXT_SIZE + 1}": whole, f"n = {n_words + 1}": seen}
    if question.masks:
        rooms = {words.index(room) for room in ROOMS}
        counted = _without_rest(prediction_table(words, stages, most=_ROWS))
        return with_stage_that_waits(counted, _NETWORK, rooms)
    found = {**stages, _NETWORK: snapshot.after(asked.ids)}
    table = _without_rest(prediction_table(words, found, most=_ROWS))
    guessed = question.guess if question.prediction is not None else None
    if guessed is None:
        return table
    share = ANSWERS[guessed] / len(ROOMS)
    outlined = [
        row | {"before": share} if row["stage"] == _NETWORK and words[row["id"]] in ROOMS else row
        for row in table.to_pylist()
    ]
    return pa.Table.from_pylist(outlined, table.schema)


def _without_rest(table: pa.Table) -> pa.Table:
    """Return a table of predictions without what is folded together, each stage by itself."""
    rows = [
        row | {"is_cut": False, "before": 0.0} for row in table.to_pylist() if row["id"] != REST
    ]
    return pa.Table.from_pylist(rows, table.schema)


def said_of(table: pa.Table) -> str:
    """Return the bars that are seen, stage by stage; of one that waits only that it does."""
    rows = table.to_pylist()
    waiting = [f"{row['stage']}: ?" for row in rows if row["probability"] is None][:1]
    seen = [
        f"{row['stage']}: {row['symbol']} {percent(row['probability'])}"
        for row in rows
        if row["probability"] is not None and row["probability"] > 0.005
    ]
    return "; ".join(seen + waiting)
