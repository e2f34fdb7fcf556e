"""All that stands on a page: the rows, tables and words of its charts, its own pictures, texts and controls.

`python -m tests.pages.drawn FILE ADDRESS...` writes it for every part of these pages, before a guess, after
it, in the presenter view and with each control changed; run it before and after a page is rewritten, and
`python -m tests.pages.drawn --compare BEFORE AFTER` prints what has become different.
"""

import json
import math
import sys
from pathlib import Path

from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df

from pages.shared.registry import page_at
from pages.shared.ui import folds
from tests.pages.moving import set_to
from tests.pages.playing import put
from tests.pages.test_numbers import charts_of
from tests.pages.test_verdicts import changes, parts
from tests.pages.visits import guess, press, questions, visit

_FRAME = ("lm_lab_visitor_id", "lm_lab_connection", "lm_lab_chart_export", "lm_lab_page_top")
"""Components that every page has."""


def drawn(app):
    """Return what a page has drawn, as JSON holds it: charts by key, pictures, texts, controls."""
    found = {"charts": {}, "pictures": {}, "controls": {}}
    for key, title, block in charts_of(app.main):
        (chart,) = block.get("vega_lite_chart")
        tables = [_table(table.value) for table in block.dataframe]
        rows = [_table(_frame_of(dataset)) for dataset in chart.proto.datasets]
        found["charts"][key] = {
            "rows": rows[0] if rows else {},
            "table": tables[0] if tables else {},
            "alt": block.text[0].value,
            "title": title,
            "spec": json.loads(chart.proto.spec),
        }
    for picture in app.get("bidi_component"):
        if picture.proto.component_name not in _FRAME:
            key = picture.proto.id.rpartition("-")[2]
            found["pictures"][key] = json.loads(picture.proto.json or "{}")
    others = [element.value for element in app.dataframe if element.value is not None]
    found["tables"] = [_table(frame) for frame in others]
    found["images"] = [str(element.proto) for element in app.get("imgs")]
    found["texts"] = [element.value for element in [*app.markdown, *app.caption, *app.latex]]
    found["plain"] = [element.value for element in app.text]
    found["messages"] = [element.value for element in [*app.error, *app.warning, *app.info]]
    for element in app.main:
        if (key := getattr(element, "key", None)) and element.type != "download_button":
            options = [str(option) for option in getattr(element, "options", [])]
            value = str(getattr(element, "value", None))
            label = getattr(element, "label", "") if element.type != "expander" else ""
            found["controls"][key] = [element.type, label, value, options]
    return found


def _frame_of(dataset):
    return convert_arrow_bytes_to_pandas_df(dataset.data.data)


def _table(frame):
    return {str(name): [_plain(value) for value in frame[name]] for name in frame.columns}


def _plain(value):
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float):
        return None if math.isnan(value) else float(f"{value:.9g}")
    return value if isinstance(value, (int, str, bool, list, type(None))) else str(value)


def _states(spec):
    """Yield a name for each way to come upon a page, and the page then."""
    for part in parts(spec):
        name = "/".join([spec.address, *part.values()])
        app = visit(spec.path, **part)
        asked = questions(app)
        yield f"{name}: masked", app
        yield f"{name}: masked, presented", visit(spec.path, present="1", **part)
        for question in asked:
            press(app, f"skip_{question}")
        yield f"{name}: revealed", app
        for key, value in dict(changes(app)).items():
            before = set_to(app, key, value)
            yield f"{name}: {key} = {value}", app
            if before is not None:
                set_to(app, key, before)
        for slider in list(app.slider):
            if f"{slider.key}_playback" in app.session_state:
                yield f"{name}: {slider.key} = 1", put(app, slider.key, 1)
        if asked:
            app = visit(spec.path, **part)
            for question in asked:
                guess(app, question)
            yield f"{name}: guessed", app
            app.query_params["present"] = "1"
            yield f"{name}: guessed, presented", app.run()


def _write(file, addresses):
    folds.is_open = lambda fold: True
    found = {}
    for address in addresses:
        for name, app in _states(page_at(address)):
            faults = [error.value for error in app.exception]
            found[name] = drawn(app) | ({"exceptions": faults} if faults else {})
    Path(file).write_text(json.dumps(found, ensure_ascii=False, indent=0), encoding="utf-8")


def _differences(before, after, place=()):
    """Yield where two values differ, and how."""
    if isinstance(before, dict) and isinstance(after, dict):
        for name in dict.fromkeys([*before, *after]):
            there = (*place, name)
            yield from _differences(before.get(name, "nothing"), after.get(name, "nothing"), there)
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for i, pair in enumerate(zip(before, after, strict=True)):
            yield from _differences(*pair, (*place, str(i)))
    elif isinstance(before, list) and isinstance(after, list):
        gone, new = (
            [v for v in one if v not in other] for one, other in ((before, after), (after, before))
        )
        yield place, gone, new
    elif before != after:
        yield place, before, after


def _compare(before, after):
    said = {}
    read = [json.loads(Path(file).read_text(encoding="utf-8")) for file in (before, after)]
    for (state, *place), old, new in _differences(*read):
        said.setdefault((" ".join(place), str(old), str(new)), []).append(state)
    for (place, old, new), states in said.items():
        sys.stdout.write(f"\n{place}  [{len(states)} states, as {states[0]}]\n- {old}\n+ {new}\n")
    sys.stdout.write(f"\n{len(said)} differences in {len(read[0])} states\n")


if __name__ == "__main__":
    if sys.argv[1] == "--compare":
        _compare(*sys.argv[2:])
    else:
        _write(sys.argv[1], sys.argv[2:])
