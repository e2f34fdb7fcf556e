"""The first screens of all pages on one sheet: `make screens` writes it beside the screenshots.

A row is a page: at 1280 x 720, the same presented, and on a phone in the dark. What share of each
picture is on its first screen is printed.
"""

import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from pages.shared.registry import PAGES
from tests.browser.conftest import CHROMIUM, FLAGS, ROOT, SCREENSHOTS, go, serving

_VIEWS = (
    ("light", (1280, 720), "light", ""),
    ("presented", (1280, 720), "light", "?present=1"),
    ("phone", (390, 844), "dark", ""),
)
_SCALE, _GAP, _SETTLED_MS = 0.5, 8, 900
_SHARE = """
() => {
  const box = document.querySelector(".st-key-picture")?.getBoundingClientRect();
  return box ? Math.max(0, Math.min(box.bottom, innerHeight) - Math.max(box.top, 0)) / box.height : null;
}
"""


def photograph(page: Page, address: str, path: Path) -> float | None:
    """Keep what is on screen once charts have had their time to be drawn.

    Returns
    -------
    float or None
        The share of the page's picture that is on screen; None where there is none.
    """
    go(page, address)
    page.wait_for_timeout(_SETTLED_MS)
    page.screenshot(path=path)
    return page.evaluate(_SHARE)


def sheet(folder: Path, addresses: list[str]) -> Image.Image:
    """Put the photographs together, a row for each address, all rows of one height."""
    widths = [round(_SCALE * size[0]) for _, size, _, _ in _VIEWS]
    height = round(_SCALE * max(size[1] for _, size, _, _ in _VIEWS))
    whole = Image.new(
        "RGB", (sum(widths) + 2 * _GAP, len(addresses) * (height + _GAP)), (128, 128, 128)
    )
    for row, address in enumerate(addresses):
        left = 0
        for (view, size, _, _), width in zip(_VIEWS, widths, strict=True):
            with Image.open(folder / f"first-{address or 'home'}-{view}.png") as shot:
                small = shot.resize((width, round(_SCALE * size[1])))
            whole.paste(small, (left, row * (height + _GAP)))
            left += width + _GAP
    return whole


def main() -> None:
    """Photograph the pages named on the command line, or all, and write the sheet."""
    addresses = sys.argv[1:] or [spec.address for spec in PAGES]
    SCREENSHOTS.mkdir(exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as home,
        serving(ROOT, Path(home) / "log", LM_LAB_HOME=home) as lab,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for view, (width, height), scheme, asked in _VIEWS:
            page = browser.new_page(
                viewport={"width": width, "height": height}, color_scheme=scheme
            )
            for address in addresses:
                name = f"first-{address or 'home'}-{view}.png"
                share = photograph(page, f"{lab}/{address}{asked}", SCREENSHOTS / name)
                said = "" if share is None else f"{share:.0%}"
                sys.stdout.write(f"{address or 'home'}\t{view}\t{said}\n")
                sys.stdout.flush()
    path = SCREENSHOTS / "first-screens.png"
    sheet(SCREENSHOTS, addresses).save(path)
    sys.stdout.write(f"{path.relative_to(ROOT)}\n")


if __name__ == "__main__":
    main()
