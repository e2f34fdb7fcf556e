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
async ([within, exceptions]) => {
  const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
  const {violations} = await axe.run(within ?? document, {runOnly: tags, resultTypes: ["violations"], elementRef: true});
  return violations.flatMap(({id, help, nodes}) =>
    nodes.filter(({element}) => !(id in exceptions && element.closest(exceptions[id])))
      .map(node => `${id} (${help}): ${node.html.slice(0, 160)}`));
}
"""


_COLOURS = """
const paint = colours => {
  const pen = document.createElement("canvas").getContext("2d", {willReadFrequently: true})
  for (const colour of colours) { pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1) }
  return [...pen.getImageData(0, 0, 1, 1).data].slice(0, 3)
}
const luminance = rgb => {
  const [r, g, b] = rgb.map(part => part / 255).map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
const contrast = (below, above) => {
  const [low, high] = [below, [...below, above]].map(colours => luminance(paint(["white", ...colours]))).sort((a, b) => a - b)
  return (high + 0.05) / (low + 0.05)
}
const behind = element => {
  const grounds = []
  for (let one = element; one; one = one.parentElement ?? one.getRootNode().host) grounds.unshift(getComputedStyle(one).backgroundColor)
  return grounds
}
"""
CONTRASTS = f"""
([selector, property]) => {{
  {_COLOURS}
  return [...document.querySelectorAll(selector)].filter(element => element.checkVisibility())
    .map(element => contrast(behind(element.parentElement), getComputedStyle(element)[property]))
}}
"""
"""By selector and property: the contrast of a colour with what lies below it, for each element."""

_CELLS = f"""
() => {{
  {_COLOURS}
  const filled = element => {{
    const style = getComputedStyle(element), share = style.fillOpacity * style.opacity
    return style.fill.startsWith("rgb") ? `color-mix(in srgb, ${{style.fill}} ${{100 * share}}%, transparent)` : "transparent"
  }}
  const drawings = [document, ...[...document.querySelectorAll("*")].map(element => element.shadowRoot).filter(Boolean)]
    .flatMap(root => [...root.querySelectorAll("svg")]).filter(svg => svg.checkVisibility() && !svg.closest("button"))
  const faults = []
  for (const svg of drawings) {{
    const cells = [...svg.querySelectorAll("rect, .mark-rect path")].map(cell => [cell.getBoundingClientRect(), cell])
    for (const text of svg.querySelectorAll("text")) {{
      const box = text.getBoundingClientRect(), style = getComputedStyle(text)
      if (box.width < 2 || style.stroke !== "none" && style.paintOrder.startsWith("stroke")) continue
      const below = cells.filter(([cell, element]) => cell.left <= box.left + 1 && cell.right >= box.right - 1
        && cell.top <= box.top + 4 && cell.bottom >= box.bottom - 4
        && element.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING).map(([, element]) => filled(element))
      if (!below.some(colour => colour !== "transparent")) continue
      const size = parseFloat(style.fontSize) * (text.currentCSSZoom ?? 1), least = size >= 24 ? 3 : 4.5
      const found = contrast([...behind(svg), ...below], filled(text))
      if (found < least) faults.push(`a cell's text (contrast ${{found.toFixed(1)}}): ${{text.textContent.slice(0, 30)}}`)
    }}
  }}
  return [...new Set(faults)].slice(0, 5)
}}
"""
"""What axe-core does not look at: text on the coloured cells of a drawing."""


@cache
def _axe():
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page, within=None):
    """Return each element that breaks a rule, or is not legible on its cell, as a line.

    Parameters
    ----------
    page : Page
    within : str, optional, the selector of the only place to be looked at
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(_axe())
    found = page.evaluate(_FAULTS, [within, EXCEPTIONS])
    return found if within else found + page.evaluate(_CELLS)
