"""What a first visit asks for comes in turn: what runs the page, then fonts, then what pages draw with."""

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
