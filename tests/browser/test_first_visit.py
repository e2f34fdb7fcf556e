"""What a first visit asks for and draws comes in turn: what runs the page, then its picture, then the rest."""

import pytest

ASKED = """() => performance.getEntriesByType("resource").map(entry =>
  [entry.name.split("/").pop(), entry.startTime])"""
STARTED = """() => performance.getEntriesByName(
  document.querySelector("script[type=module]").src)[0].responseEnd"""

WAITING = "document.getElementById('lab-later').content.childElementCount"


def test_nothing_takes_the_network_from_what_runs_the_page(lab, visit):
    page = visit(f"{lab}/rnn-vs-lstm")
    asked = page.evaluate(ASKED)
    fonts, charts = (
        [at for name, at in asked if name.startswith(kinds)]
        for kinds in (("sans.", "headings.", "icons."), "embed.")
    )
    assert len(fonts) == 3
    assert page.evaluate(STARTED) <= min(fonts) <= max(fonts) <= min(charts)
    assert page.evaluate(WAITING) == 0, "a part is found out by itself, one round later"


NOTED = """
(() => {
  const seen = (window.labSeen = {})
  const note = (name, holds) => holds && (seen[name] ??= performance.now())
  const isLarge = element => element.getBoundingClientRect().height >= 100
  const look = () => {
    const screen = document.querySelector(".st-key-first_screen")
    const drawn = document.querySelectorAll(".st-key-picture :is(svg.marks, canvas, .stBidiComponent)")
    note("picture", [...drawn].some(isLarge))
    const rest = [...document.querySelectorAll("[data-testid=stMain] [data-testid=stElementContainer]")].find(
      element => screen?.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING
        && !screen.contains(element) && element.textContent)
    note("below", rest)
  }
  const begin = () => {
    look()
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
  }
  document.addEventListener("DOMContentLoaded", begin)
})()
"""
"""Notes when a page's picture is drawn, and when the first words below its first screen are."""


@pytest.mark.parametrize("address", ["clustering", "rnn-vs-lstm", "attention"])
def test_the_picture_is_drawn_before_what_is_below_it(lab, visit, address):
    page = visit(f"{lab}/about", locale="en-IE")  # a tab of its own: the script stays in it
    page.context.add_init_script(NOTED)
    page.goto(f"{lab}/{address}")
    page.wait_for_function("labSeen.below")
    seen = page.evaluate("labSeen")
    assert seen["picture"] <= seen["below"]


def test_a_file_that_is_brought_at_once_is_read(lab, visit, tmp_path):
    """There is no picture yet, and what a browser asks the server for does not wait for one."""
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n2,3\n3,1\n8,9\n9,8\n7,9\n", encoding="utf-8")
    page = visit(f"{lab}/about")
    page.goto(f"{lab}/clustering?data=your+own+table&present=1")
    page.wait_for_selector("input[type=file]", state="attached")
    page.set_input_files("input[type=file]", table)
    page.wait_for_selector("[data-testid=stFileUploader] :text('table.csv')")
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Use this table").click()
    page.get_by_text("6 points").first.wait_for()
