"""What a question asks for stands nowhere on the page before it is answered.

Each part is drawn before and after its answers are shown. The numbers that are new in the rows of charts and in
pictures must not have stood in a table, an alt text or a paragraph; those that are new in a table must not have
been drawn. And something new there must be: else the picture has shown all of it already.
"""

import math
from collections import Counter

import pytest

from pages.shared.registry import LESSONS
from tests.pages.drawn import drawn
from tests.pages.test_verdicts import parts
from tests.pages.visits import NUMBER, press, questions, visit, with_plain_powers

PLACED = ("label_at",)  # columns that say where a name stands, not what was measured
IN_WORDS_ALONE = ("greedy", "mask", "mean", "copies", "shifted")
"""What begins the names of questions whose answer no picture shows: what a text or a rule does."""
CHANCE = ("25.2",)  # BLEU that others have published, beside shares of ours


def leaves(value):
    """Yield all that a nested value holds."""
    if isinstance(value, dict):
        for name, part in value.items():
            if name not in PLACED:
                yield from leaves(part)
    elif isinstance(value, list):
        for part in value:
            yield from leaves(part)
    else:
        yield value


def is_telling(number):
    """Whether a number has four significant digits or more and is no count: others are shared by chance."""
    is_measured = math.isfinite(number) and not float(number).is_integer()
    return is_measured and float(f"{number:.3g}") != float(f"{number:.6g}")


def telling(found):
    numbers = {v for v in found if isinstance(v, float) and is_telling(v)}
    return {float(f"{v:.6g}") for v in numbers}  # charts hold some in 32 bits


def shown(page):
    """Return all that the charts and pictures of a page draw."""
    rows = [chart["rows"] for chart in page["charts"].values()]
    return list(leaves([rows, page["pictures"]]))


def tabled(page):
    return list(leaves([chart["table"] for chart in page["charts"].values()]))


def said(page):
    """Return the numbers that are written on a page with three digits or three decimals, as they are written."""
    alts = [chart["alt"] for chart in page["charts"].values()]
    words = with_plain_powers("\n".join([*alts, *page["texts"], *page["messages"]]))
    found = {number.replace(",", "").replace("−", "-") for number in NUMBER.findall(words)}
    return {number for number in found if "." in number and is_exact(number)}


def is_exact(written):
    mantissa, _, power = written.partition("e")
    decimals = len(mantissa.partition(".")[2]) - int(power or 0)
    return decimals > 2 or len(mantissa.strip("-0.").replace(".", "")) > 2


def is_rounded(written, numbers):
    """Whether a number as it is written is one of these, rounded, as such or in percent."""
    mantissa, _, power = written.partition("e")
    half = 0.5000001 * 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))
    return any(abs(scale * n - float(written)) <= half for n in numbers for scale in (1, 100))


def news(before, after):
    """Return what is drawn after the answer, in charts, tables and pictures, and was not drawn before it."""
    kinds = ("charts", "pictures", "images", "tables", "plain")
    found = []
    for page in (before, after):
        charts = [{**chart, "title": "", "alt": ""} for chart in page["charts"].values()]
        alts = {chart["alt"] for chart in page["charts"].values()}
        rest = [page[kind] for kind in kinds[1:]]
        found.append(Counter(str(leaf) for leaf in leaves([charts, rest]) if leaf not in alts))
    return found[1] - found[0]


def questions_of(page):
    return [name for name in page["controls"] if name.startswith("guess_")]


def leaks(before, after):
    """Return what of the answer stands on a page before it is shown."""
    drawn_before, drawn_after = telling(shown(before)), telling(shown(after))
    table_before, table_after = telling(tabled(before)), telling(tabled(after))
    masked, untold = drawn_after - drawn_before, table_after - table_before
    found = [f"{n} is in a table" for n in sorted(table_before & masked)]
    for key in before["charts"].keys() & after["charts"].keys():
        chart, later = before["charts"][key], after["charts"][key]
        hidden = telling(leaves(later["table"])) - telling(leaves(chart["table"]))
        if hidden and hidden <= telling(leaves(chart["rows"])):
            found.append(f"{key} draws what its table hides")
    found += [
        f"{n} is said"
        for n in sorted(said(before) - {*CHANCE})
        if is_rounded(n, masked | untold) and not is_rounded(n, drawn_before | table_before)
    ]
    names = [name.removeprefix("guess_") for name in questions_of(before)]
    if not news(before, after) and not all(name.startswith(IN_WORDS_ALONE) for name in names):
        found.append("all that is drawn stood there before")
    return found


@pytest.mark.parametrize("spec", LESSONS, ids=lambda spec: spec.address)
def test_no_answer_stands_on_the_page_before_it_is_shown(spec):
    faults = []
    for part in parts(spec):
        app = visit(spec.path, **part)
        names = questions(app)
        if names:
            before = drawn(app)
            for name in names:
                press(app, f"skip_{name}")
            faults += [f"{part} {names}: {leak}" for leak in leaks(before, drawn(app))]
    assert not faults, "\n".join(faults)
