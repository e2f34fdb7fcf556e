"""What axe-core finds on a page of WCAG 2.2's levels A and AA, less what is Streamlit's own."""

from functools import cache
from importlib.resources import files

EXCEPTIONS = {
    # A formula or a row of tokens that is wider than a phone is moved sideways by finger and pointer. By
    # keyboard Chromium and Firefox reach every place that scrolls; Streamlit lets nobody say it for Safari.
    "scrollable-region-focusable": ".katex-display, [class*=st-key-sideways_]",
    # What is computed anew grows pale until it is there.
    "color-contrast": "[data-stale=true]",
    # The menu of a phone: Streamlit puts the names of its chapters and their lists straight into a list.
    "list": "[data-testid=stSidebarNav]",
    "listitem": "[data-testid=stSidebarNav]",
}
"""By rule, the selector of what cannot be mended from outside."""

_FAULTS = """
async exceptions => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const {violations} = await axe.run(document, {runOnly: tags, resultTypes: ["violations"], elementRef: true});
  return violations.flatMap(({id, help, nodes}) =>
    nodes.filter(({element}) => !(id in exceptions && element.closest(exceptions[id])))
      .map(node => `${id} (${help}): ${node.html.slice(0, 160)}`));
}
"""


CONTRASTS = """
([selector, property]) => {
  const paint = colours => {
    const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true})
    for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1) }
    return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
  }
  const luminance = rgb => {
    const [r, g, b] = rgb.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  return [...document.querySelectorAll(selector)].filter(element => element.checkVisibility()).map(element => {
    const grounds = []
    for (let one = element.parentElement; one; one = one.parentElement) grounds.unshift(getComputedStyle(one).backgroundColor)
    const [low, high] = [grounds, [...grounds, getComputedStyle(element)[property]]]
      .map(colours => luminance(paint(["white", ...colours]))).sort((a, b) => a - b)
    return (high + 0.05) / (low + 0.05)
  })
}
"""
"""By selector and property: the contrast of a colour with what lies below it, for each element."""


@cache
def _axe():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page):
    """Return each element of the page that breaks a rule, with the rule, as a line."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return page.evaluate(_FAULTS, EXCEPTIONS)
