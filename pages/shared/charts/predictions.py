"""One view of a prediction, wherever a model makes one: its best candidates as named bars.

Where a distribution goes through stages, they are small multiples side by side, a row a candidate.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from pages.shared.charts import vega_lite as vl
from pages.shared.charts.drawing import Drawing, table_of_rows, with_columns
from pages.shared.charts.palette import BLUE, GREY, GUESS, ORANGE, VERMILLION, visible
from pages.shared.numbers import percent

REST = -1  # the id of the bar into which all other candidates are folded

_PANEL = 1.75
"""Width of a stage: 1 for a probability of 100 %, the rest for what is written behind its bar."""
_ROW = 25  # height of a bar with its gap, in pixels
_HIGH_ROW = 40  # pixels of a row, on a projector, that have room for several lines
_HALF_LINE = 9  # pixels by which the first of several lines begins higher for each further one
_NARROW = 170  # pixels of a stage on a phone, where what is written may be small
_MARK = " ◀"  # between a share and what its candidate is
_LEAST_PIXELS = 95  # a stage narrower than this has no numbers behind its bars
_LEAST_STRIKE = 0.12  # so far reaches at least the line through a candidate that is cut
_ASKED = "?"


def prediction_table(
    symbols: Sequence[str],
    stages: Mapping[str, np.ndarray],
    *,
    before: np.ndarray | None = None,
    most: int = 8,
    marked: int | None = None,
    guess: float | None = None,
) -> pa.Table:
    """Return the best candidates of a prediction, most probable first, and the rest as one.

    Raises ValueError if there is not one probability per symbol.

    Parameters
    ----------
    symbols : sequence of V str
    stages : mapping of str to ndarray of shape (V,)
        The probabilities at each stage, by its name; a single one needs no name: ``{"": p}``.
    before : ndarray of shape (V,), optional
        What the first stage is compared with. Each later stage is compared with the one before it.
    most : int, so many candidates: those whose largest probability is largest, ties by id
    marked : int, the id that was drawn, or that is right: it is always among them
    guess : float, the probability that a visitor expected of the marked id: its outline

    Returns
    -------
    Table
        A row for each stage and candidate: stage, id (`REST` for the rest), symbol, before,
        probability, is_cut (impossible, and possible before), is_marked. Where there is nothing to
        compare with, before is the probability.
    """
    given: vl.Spec = {name: np.asarray(p, float) for name, p in stages.items()}
    first = next(iter(given.values())) if before is None else np.asarray(before, float)
    for name, p in {"before": first, **given}.items():
        if len(p) != len(symbols):
            raise ValueError(
                f"one probability per symbol: {len(symbols)} symbols, {len(p)} {name or 'given'}"
            )
    largest = np.max([first, *given.values()], axis=0)
    if marked is not None:
        largest[marked] += 2.0  # above every probability, so that it is kept
    best = np.argsort(-largest, kind="stable")[:most]
    if marked is not None:
        largest[marked] -= 2.0
    best = best[np.lexsort((best, -largest[best]))]
    n_rest = len(symbols) - len(best)
    ids = best.tolist() + ([REST] if n_rest else [])
    names = [visible(symbols[i]) for i in best] + ([f"{n_rest:,} others"] if n_rest else [])

    def shown(p: np.ndarray) -> list[float]:
        """Return the probabilities of the candidates, and that of the rest."""
        return [*p[best].tolist(), max(0.0, float(p.sum() - p[best].sum()))][: len(ids)]

    rows: list[tuple] = []
    for name, p in given.items():
        is_cut = [i != REST and bool(p[i] == 0 < first[i]) for i in ids]
        is_marked = [i == marked for i in ids]
        stage = [name] * len(ids)
        compared = shown(first)
        if guess is not None and marked is not None:
            compared[ids.index(marked)] = guess
        rows += zip(stage, ids, names, compared, shown(p), is_cut, is_marked, strict=True)
        first = p
    return table_of_rows(_COLUMNS, rows)


def with_stage_that_waits(table: pa.Table, name: str, asked: Collection[int]) -> pa.Table:
    """Return a `prediction_table` with one more stage, of which nothing is known yet.

    Parameters
    ----------
    name : str, of the stage
    asked : collection of int
        The ids whose probability is asked for: a question mark stands in the place of each.
    """
    stages = table["stage"].to_pylist()
    rows = table.slice(len(table) - stages.count(stages[-1])).to_pylist()
    unknown = {"stage": name, "before": 0.0, "probability": None, "is_cut": False}
    waiting = pa.Table.from_pylist([row | unknown for row in rows], table.schema)
    known = [False] * len(table)
    is_asked = [*known, *(row["id"] in asked for row in rows)]
    return with_columns(pa.concat_tables([table, waiting]), is_asked=is_asked)


def drawn_shares(table: pa.Table) -> dict[str, float]:
    """Return what the bars of a `prediction_table`'s last stage say, by their names, the longest first."""
    last = table["stage"][-1]
    rows = [row for row in table.to_pylist() if row["stage"] == last.as_py()]
    rows.sort(key=lambda row: (row["id"] == REST, -row["probability"]))
    return {row["symbol"]: row["probability"] for row in rows}


def bars_in_words(table: pa.Table) -> str:
    """Return a `prediction_table`'s last stage for who cannot see its bars: the numbers written at them."""
    return ", ".join(f"{name} {percentage(share)}" for name, share in drawn_shares(table).items())


def candidate_table(
    candidates: Sequence[tuple[int, str, float]],
    n_symbols: int,
    *,
    marked: int | None = None,
    guessed: int | None = None,
) -> pa.Table:
    """Return a `prediction_table` of candidates that are known already, and the rest as one.

    Parameters
    ----------
    candidates : sequence of (id, symbol, probability), the most probable first
    n_symbols : int, of the whole vocabulary
    marked : int, the id that was drawn
    guessed : int, the id that a visitor expected to be the most probable
    """
    known = [(i, visible(symbol), float(p)) for i, symbol, p in candidates]
    if n_rest := n_symbols - len(known):
        left = max(0.0, 1.0 - sum(p for *_, p in known))
        known.append((REST, f"{n_rest:,} others", left))
    rows = [("", i, symbol, p, p, False, i == marked) for i, symbol, p in known]
    table = table_of_rows(_COLUMNS, rows)
    return with_columns(table, is_guess=[i == guessed for i, *_ in known])


def prediction_bars(
    table: pa.Table,
    *,
    unit: str = "character",
    mark: str = "drawn",
    colour: str | Mapping[str, str] = BLUE,
    says_zero: bool = False,
    height: int | None = None,
) -> Drawing:
    """Draw a `prediction_table`: a panel for each stage, a bar with its percentage for each candidate.

    An outline shows how probable a candidate was before; one that a stage cuts is struck out. Rows can
    be clicked: the selection ``picked`` holds the id (see `picked_id`).

    Parameters
    ----------
    unit : str, What is predicted: ``character``, ``token``, ``number``, ...
    mark : str, what the marked candidate is; written at its bar
    colour : str or mapping from str to str, of the bars: the model's, or by stage
    says_zero : bool
        Whether 0 is written at a candidate that nothing is expected of; else there is nothing at it.
    height : int, in pixels; by default what the rows need
    """
    given = table.to_pylist()
    stages = list(dict.fromkeys(row["stage"] for row in given))
    n_rows = len(given) // len(stages)
    names = _all_different(row["symbol"] for row in given[:n_rows])
    rows = []
    for i, row in enumerate(given):
        stage, rank = divmod(i, n_rows)
        probability = row["probability"] or 0.0  # of one that waits nothing is known
        reach = max(row["before"], probability, _LEAST_STRIKE * row["is_cut"])
        of_stage = colour if isinstance(colour, str) else colour[row["stage"]]
        rows.append(
            row
            | _ends(_PANEL * stage, probability, row["before"], reach)
            | {
                "rank": rank,
                "name": names[rank],
                "text": _text(row, mark, says_zero=says_zero),
                "colour": ORANGE if row["is_marked"] else GREY if row["id"] == REST else of_stage,
                "header": "",
            }
        )
    if stages != [""]:
        headers = [rows[i] | _HEADER | _ends(rows[i]["start"]) for i in range(0, len(rows), n_rows)]
        rows = [row | {"header": name} for row, name in zip(headers, stages, strict=True)] + rows
    description = f"Bars: the most probable {unit}s, each with its probability."
    height = height or 20 + _ROW * (n_rows + (stages != [""]))
    marked_rows = n_rows if any(_MARK in row["text"] for row in rows) else 0
    spec = _spec(len(stages), unit, height, marked_rows)
    return Drawing(spec, pa.Table.from_pylist(rows), description, numbers=table)


_COLUMNS = ("stage", "id", "symbol", "before", "probability", "is_cut", "is_marked")
_NOTHING = {"before": 0.0, "probability": 0.0, "is_cut": False, "text": ""}
_HEADER = {"id": REST, "rank": -1, "name": " ", **_NOTHING}
"""What a row has in which only the name of a stage is drawn."""


def _ends(
    start: float, probability: float = 0.0, before: float = 0.0, reach: float = 0.0
) -> dict[str, float]:
    """Return where a panel begins, and where in it a bar, its outline and its strike end."""
    return {
        "start": start,
        "end": start + probability,
        "end_before": start + before,
        "end_reach": start + reach,
    }


def _text(row: Mapping[str, Any], mark: str, *, says_zero: bool) -> str:
    """Return what is written at a bar; nothing at one that was cut before, or of which nothing is asked."""
    if row["probability"] is None:
        return _ASKED if row["is_asked"] else ""
    was_cut = not says_zero and row["probability"] == row["before"] == 0 and row["id"] != REST
    share = "cut" if row["is_cut"] else "" if was_cut else percentage(row["probability"])
    said = [mark] * row["is_marked"] + [GUESS] * row.get("is_guess", False)
    return f"{share}{_MARK} {', '.join(said)}".strip() if said else share


def percentage(probability: float) -> str:
    r"""Return a probability as people read it, with two digits at most.

    Examples
    --------
    >>> [percentage(p) for p in (0.412, 0.0183, 0.9996, 0.00002, 0.0)]
    ['41\u202f%', '1.8\u202f%', '99.9\u202f%', '<0.1\u202f%', '0\u202f%']
    """
    if probability in (0, 1):
        return percent(probability)
    if probability < 0.001:
        return "<0.1 %"
    if probability < 0.0995:
        return percent(probability, 1)
    return percent(probability) if probability < 0.995 else percent(min(probability, 0.999), 1)


def _all_different(names: Iterable[str]) -> list[str]:
    """Return names that an axis holds apart, with blanks of no width behind those that repeat."""
    seen: Counter[str] = Counter()
    different = []
    for name in names:
        different.append(name + "\u200b" * seen[name])
        seen[name] += 1
    return different


def picked_id(selection: Mapping[str, Any]) -> int | None:
    """Return the id of the row clicked in `prediction_bars`, None for none or for the rest."""
    points = selection.get("picked") or []
    return int(points[0]["id"]) if points and points[0]["id"] != REST else None


def _spec(n_stages: int, unit: str, height: int, marked_rows: int) -> vl.Spec:
    across = vl.scale(0, _PANEL * n_stages)
    starts = [_PANEL * i for i in range(n_stages)]
    shares = (0, 0.5, 1) if n_stages == 1 else (0, 1)
    axis = {
        "title": None,
        "values": [start + share for start in starts for share in shares],
        "labelExpr": f"format(datum.value - {_PANEL} * floor(datum.value / {_PANEL}), '.0%')",
    }
    # Every bar has room for its name, which in low rows fills more of its row, to be legible from afar.
    row = "bandwidth('y')"
    legible = f"clamp(max(0.65 * {row}, min(14, 0.85 * {row})), 10, 22)"
    size = vl.expression(legible)
    names = {
        "title": None,
        "labelFont": "monospace",
        "labelFontSize": size,
        "labelOverlap": False,
        "labelFlush": False,
        "labelLimit": 260,
        **vl.BARE,
    }
    name = {"y": vl.field("name:N", sort=vl.by("rank"), axis=names)}
    start = name | {"x": vl.field("start:Q", scale=across)}
    bar = {
        "x": vl.field("start:Q", scale=across, axis=axis),
        "x2": "end",
        "color": vl.literal("colour:N"),
    }
    before = {"x2": "end_before", "strokeDash": vl.either("datum.is_cut", [3, 2], [1, 0])}
    text = {"x": vl.field("end_reach:Q", scale=across), "text": "text:N"}
    whole = {
        "x2": "end_of_panel",
        "tooltip": [vl.field("symbol:N", title=unit), "before:Q .3%", "probability:Q .3%"],
    }
    outline: vl.Spec = {"filled": False, "stroke": GREY, "height": {"band": 0.8}}
    rows = vl.mark(
        "bar",
        start,
        whole,
        computed={"end_of_panel": f"datum.start + {_PANEL}"},
        opacity=0,
        cursor="pointer",
        height={"band": 1},
    )
    cut: vl.Spec = {"color": VERMILLION, "strokeWidth": 2}
    look: vl.Spec = {"fontSize": size}
    if marked_rows:
        text |= {"text": "said:N"}
        look = _within_panel(n_stages, marked_rows, row, legible)
    has_room = f"width / {n_stages} >= {_LEAST_PIXELS}"
    return vl.layered(
        vl.mark("bar", name, bar, height={"band": 0.62}),
        vl.mark("bar", start, before, strokeWidth=1.2, **outline),
        vl.mark("rule", start, {"x2": "end_reach"}, when="datum.is_cut", **cut),
        vl.mark("text", name, text, when=has_room, align="left", dx=5, **look),
        vl.mark("text", start, {"text": "header:N"}, align="left", fontWeight="bold", dx=2),
        vl.clickable(rows, "picked", "id"),
        height=height,
    )


def _within_panel(n_stages: int, n_rows: int, row: str, legible: str) -> vl.Spec:
    """Return how marked texts end within their panel: smaller, in a high row in several lines, or the share alone.

    A letter is half as wide as high.
    """
    end = _PANEL if n_stages == 1 else f"{_PANEL} * ceil((datum.start + 1) / {_PANEL})"
    is_high = f"height / {n_rows} > {_HIGH_ROW}"
    least = f"{is_high} ? 16 : width / {n_stages} < {_NARROW} ? 10 : 14"
    computed = {
        "room": f"(width * ({end} - datum.end_reach) / {_PANEL * n_stages} - 8) / 0.54",
        "said": f"datum.room / length(datum.text) >= ({least}) ? datum.text : {is_high}"
        f" ? replace(datum.text, regexp(' (?=◀)|, ', 'g'), '\\n') : split(datum.text, '{_MARK}')[0]",
        "lines": "split(datum.said, '\\n')",
        "longest": "max(length(datum.lines[0]), length(peek(datum.lines)))",
    }
    size = f"max(10, min({legible}, datum.room / datum.longest, {row} / length(datum.lines)))"
    return {
        "computed": computed,
        "fontSize": vl.expression(size),
        "dy": vl.expression(f"{_HALF_LINE} - {_HALF_LINE} * length(datum.lines)"),
        "lineBreak": "\n",
    }
