"""How soon a step of 2,000 points is on screen: `python -m tests.benchmarks.cluster_panels`.

A real browser steps forward on the page on clusters, then moves a centre by its arrow keys. Four
times are taken: what the browser takes to draw both panels (by `performance.measure` in the
component); from the click to the drawn step, which the server has sent ahead; from the click
to the server's answer to it drawn (server, wire and browser together); and the drawing while a
centre is moved, for which no server is asked.
"""

import argparse
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import CHROMIUM, FLAGS, ROOT, serving, settle

CASES = {
    "2,000 points, K = 3": "clustering?points=2000&clusters=3&data=unequal+sizes",
    "2,000 points, K = 10": "clustering?points=2000&clusters=10&data=no+structure",
}
FORGET = "performance.clearMeasures('cluster panels')"
DRAWN = "() => performance.getEntriesByName('cluster panels').length > 0"
CLICK = """() => {
  window.clickedAt = performance.now()
  ;[...document.querySelectorAll("button")].find((b) => b.innerText.includes("Forward")).click()
}"""
TIMES = """() => {
  const { duration, startTime } = performance.getEntriesByName("cluster panels").at(-1)
  return [duration, startTime + duration - window.clickedAt]
}"""


def stepped(page: Page, steps: int) -> list[tuple[float, float, float]]:
    """Step forward so often; return for each the drawing, click to drawn, and click to answered."""
    times = []
    for _ in range(steps):
        page.evaluate(FORGET)
        page.evaluate(CLICK)
        page.wait_for_function(DRAWN)
        drawing, drawn = page.evaluate(TIMES)
        page.wait_for_timeout(500)
        times.append((drawing, drawn, page.evaluate(TIMES)[1]))
    return times


def moved(page: Page, presses: int) -> list[float]:
    """Press an arrow key so often on a centre; return the milliseconds of each drawing."""
    page.locator(".panels canvas").first.focus()
    page.keyboard.press("1")
    times = []
    for _ in range(presses):
        page.evaluate(FORGET)
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(DRAWN, polling=5)
        times.append(page.evaluate(TIMES)[0])
    return times


def row(name: str, what: str, times: list[float]) -> str:
    """Return one line of the table."""
    ordered = sorted(times)
    p95 = ordered[max(0, round(0.95 * len(ordered)) - 1)]
    return f"| {name} | {what} | {ordered[len(ordered) // 2]:.0f} | {p95:.0f} | {ordered[-1]:.0f} |"


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=20)
    arguments = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        serving(ROOT, Path(folder) / "server.log") as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        print("| points | what | p50 | p95 | max (ms) |")
        print("|---|---|---|---|---|")
        for name, query in CASES.items():
            page.goto(f"{address}/{query}")
            settle(page)
            page.wait_for_selector(".panels canvas")
            drawing, drawn, answered = zip(*stepped(page, arguments.steps), strict=True)
            print(row(name, "drawing both panels", list(drawing)))
            print(row(name, "click to drawn", list(drawn)))
            print(row(name, "click to answered and drawn", list(answered)))
            print(
                row(name, "drawing while a centre moves", moved(page, arguments.steps)), flush=True
            )
        browser.close()


if __name__ == "__main__":
    main()
