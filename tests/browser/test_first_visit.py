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
    note("menu", document.querySelector("[data-testid=stTopNavSection], [data-testid=stTopNavLink]"))
  }
  const begin = () => {
    look()
    new MutationObserver(look).observe(document, { childList: true, subtree: true, attributes: true })
  }
  document.addEventListener("DOMContentLoaded", begin)
})()
"""
"""Notes when a page's picture, its menu and the first words below its first screen are drawn."""


@pytest.mark.parametrize("address", ["clustering", "rnn-vs-lstm", "attention", "embeddings"])
def test_the_picture_is_drawn_before_what_is_below_it(lab, visit, address):
    page = visit(f"{lab}/about", locale="en-IE")  # a tab of its own: the script stays in it
    page.context.add_init_script(NOTED)
    page.goto(f"{lab}/{address}")
    page.wait_for_function("labSeen.below && labSeen.menu")
    seen = page.evaluate("labSeen")
    assert seen["picture"] <= seen["below"]
    assert seen["picture"] <= seen["menu"]


PRESSED = """
(() => {
  const seen = (window.labSeen = {})
  const pressed = setInterval(() => {
    const forward = [...document.querySelectorAll("[data-testid=stMain] button")].find(
      button => button.textContent.includes("Forward"))
    if (!forward) return
    clearInterval(pressed)
    seen.menu = !!document.querySelector("[data-testid=stTopNavSection]")
    forward.click()
  }, 5)
})()
"""
"""Presses a button as soon as it is there, though nobody has touched it; notes whether the menu was there."""


ALONE = """
new MutationObserver(() => {
  if (document.querySelector(".st-key-picture svg.marks, .st-key-picture canvas.marks"))
    window.labTogether ??= document.querySelectorAll(".st-key-picture [data-testid=stVegaLiteChart]").length
}).observe(document, { childList: true, subtree: true })
"""
"""Notes how many charts there are when the first one is drawn."""


@pytest.mark.parametrize(("address", "charts"), [("estimation", 2), ("number-of-clusters", 4)])
def test_the_first_chart_of_a_picture_is_drawn_before_the_others_come(lab, visit, address, charts):
    page = visit(f"{lab}/about", locale="en-IE")  # a tab of its own: the script stays in it
    page.context.add_init_script(ALONE)
    page.goto(f"{lab}/{address}")
    page.wait_for_function(
        f"document.querySelectorAll('.st-key-picture .marks').length === {charts}"
    )
    # On a busy machine the second may be there, too, before the first is through; the last never is.
    assert page.evaluate("labTogether") < charts


def test_a_run_that_is_asked_for_before_the_menu_is_one_of_this_page(lab, visit):
    page = visit(f"{lab}/about", locale="en-ZA")  # a tab of its own: the script stays in it
    page.context.add_init_script(PRESSED)
    page.goto(f"{lab}/clustering")
    page.wait_for_selector("[data-testid=stTopNavSection]")
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    assert page.evaluate("labSeen") == {"menu": False}
    assert page.locator("[data-testid=stMain] h1").inner_text().startswith("Clustering")


BROUGHT = """
(() => {
  const seen = (window.labSeen = {})
  const over = "[data-testid=stApp][data-test-script-state=notRunning] [data-testid=stMain] h1"
  setInterval(() => {
    if (document.querySelector(over)) seen.over ??= performance.now()
    seen.taken ??= performance.getEntriesByType("resource")
      .find(({ name }) => name.includes("upload_file"))?.responseEnd
  }, 20)
})()
"""
"""Notes when the run is over, and when the server has taken a file."""


def test_what_a_browser_asks_for_does_not_wait_for_a_picture(lab, visit, tmp_path):
    """Without a table there is no picture to come, and nobody acts: all that is below waits its longest."""
    table = tmp_path / "table.csv"
    table.write_text("a,b\n1,2\n2,3\n3,1\n", encoding="utf-8")
    page = visit(f"{lab}/about", locale="en-GB")  # a tab of its own: the script stays in it
    page.context.add_init_script(BROUGHT)
    page.goto(f"{lab}/clustering?data=your+own+table&present=1")
    page.wait_for_selector("input[type=file]", state="attached")
    page.set_input_files("input[type=file]", table)
    page.wait_for_function("labSeen.taken && labSeen.over")
    seen = page.evaluate("labSeen")
    assert seen["taken"] < seen["over"]
