"""How tests visit a page of the whole app, and read what stands on it."""

import json
import re

from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from pages.shared.registry import PAGES
from tests.conftest import ROOT

_ADDRESSES = {spec.path: spec.address for spec in PAGES}

# A minus after a letter or a digit is a hyphen (WikiText-2), a digit after a letter is a name (x0).
NUMBER = re.compile(
    r"(?<![\w.])[-−]?(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+|(?=\.\d))(?:\.\d+)?(?:e[-+]?\d+)?"
)

_POWER = re.compile(r"(?:([\d.]+)[ \u202f][×·][ \u202f])?\b10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_LOWERED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def arrive(page, /, **asked):
    """Open a page as a link does that asks for these values, without a look at the home page."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120)
    # What `switch_page` does as well, but only for who has run another page first.
    app._page_hash = calc_hash(_ADDRESSES[page])
    for name, value in asked.items():
        app.query_params[name] = value
    return app.run()


def visit(page, /, **asked):
    """Open a page like `arrive`; nothing may go wrong."""
    app = arrive(page, **asked)
    assert not app.exception
    return app


def text(app):
    """Return the paragraphs and small print of a page."""
    return "\n".join(element.value for element in [*app.markdown, *app.caption])


def numbers(text: str) -> list[float]:
    """Return the numbers in a text as they are written: 1,234.5, -0.3, 2 × 10⁻⁵, 12 for 12 %."""
    found = NUMBER.findall(with_plain_powers(text))
    return [float(number.replace(",", "").replace("−", "-")) for number in found]


def with_plain_powers(text: str) -> str:
    """Return a text with 2e-5 where it says 2 × 10⁻⁵."""
    return _POWER.sub(lambda power: f"{power[1] or 1}e{power[2].translate(_LOWERED)}", text)


def shows(app, *values: str | float) -> bool:
    """Say whether one paragraph holds these words and numbers, in this order."""
    return any(holds(element.value, *values) for element in [*app.markdown, *app.caption])


def holds(text: str, *values: str | float) -> bool:
    """Say whether a text holds these words and numbers, in this order."""
    text, end = with_plain_powers(text), 0
    for value in values:
        word = rf"(?<!\w){re.escape(value)}(?!\w)" if isinstance(value, str) else NUMBER
        found = re.compile(word).finditer(text, end)
        end = next((m.end() for m in found if value in (m[0], *numbers(m[0]))), -1)
        if end < 0:
            return False
    return True


def charts(app):
    """Return the keys of the charts on a page, from top to bottom."""
    keys = [button.key for button in app.get("download_button")]
    return [key.removesuffix("_csv") for key in keys if key.endswith("_csv")]


def alt(app, key):
    """Return the words for who cannot see a chart, with its numbers."""
    try:
        return app.get_by_key(f"charted_{key}").text[0].value
    except KeyError:
        return app.get("vega_lite_chart")[charts(app).index(key)].proto.alt


def data(app, key):
    """Return the table under a chart."""
    return app.get_by_key(f"{key}_data").dataframe[0].value


def drawn_rows(app, key):
    """Return the rows that a chart draws; tests count in more bits than they travel in.

    A column that names its different values once has them in each row again, as a browser reads it.
    """
    chart = app.get("vega_lite_chart")[charts(app).index(key)]
    rows = convert_arrow_bytes_to_pandas_df(chart.proto.datasets[0].data.data)
    for name, column in rows.select_dtypes("category").items():
        values = column.cat.categories.dtype
        is_whole = values.kind in "iu" and column.notna().all()
        rows[name] = column.astype(
            "int64" if is_whole else "float64" if values.kind in "iuf" else object
        )
    for name, column in rows.select_dtypes("float32").items():
        rows[name] = column.astype(str).astype("float64")  # 0.1, not 0.10000000149
    return rows.astype(dict.fromkeys(rows.select_dtypes("integer"), "int64"))


def questions(app):
    """Return the names of the questions that a page asks."""
    keys = (button.key or "" for button in app.button)
    return [key.removeprefix("skip_") for key in keys if key.startswith("skip_")]


def choose(app, name, option=0):
    """Choose one of a question's answers: an order that begins with it, so many steps, a cell of the first row."""
    fields = [*app.radio, *app.multiselect, *app.get("button_group"), *app.number_input]
    fields += app.selectbox
    question = next(field for field in fields if field.key in (f"guess_{name}", f"guess_{name}_0"))
    if question.type == "number_input":
        return question.set_value(question.min + option * question.step).run()
    if question.type == "selectbox":
        app.selectbox(key=f"guess_{name}_1").select_index(option + 1)
        return question.select_index(0).run()
    options = [*question.options]
    if question.type == "radio":
        return question.set_value(options[option]).run()
    rest = options[:option] + options[option + 1 :] if question.type == "multiselect" else []
    return question.set_value([options[option], *rest]).run()


def guess(app, name, option=0):
    """Choose one of a question's answers, and return the page with the answer revealed."""
    return press(choose(app, name, option), f"reveal_{name}")


def press(app, key):
    """Press a button and return the page after it."""
    return app.button(key=key).click().run()


def sent_to(app, component=""):
    """Return what the page's own pictures and texts were sent: those of one name, or all of them."""
    return [
        json.loads(element.proto.json)
        for element in app.get("bidi_component")
        if element.proto.json and element.proto.component_name.endswith(component)
    ]


def tints_of(strip):
    """Return roles, strength and reading of each token of a tinted text, from what its component was sent."""
    return [strip["looks"][place] for place in strip["tints"]]
