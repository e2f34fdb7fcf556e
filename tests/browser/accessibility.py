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


@cache
def _axe():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page):
    """Return each element of the page that breaks a rule, with the rule, as a line."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    return page.evaluate(_FAULTS, EXCEPTIONS)
