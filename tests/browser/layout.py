"""What is measured of a page's layout in the browser."""

PICTURE_SHARE = """
() => {
  const drawn = [...document.querySelectorAll(".st-key-picture :is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot)")]
    .filter(element => element.checkVisibility() && !element.closest("[class*=st-key-sentence_]"))
    .map(element => element.getBoundingClientRect())
    .filter(box => box.height > 1);
  if (!drawn.length) return 0;
  const top = Math.min(...drawn.map(box => box.top));
  const bottom = Math.max(...drawn.map(box => box.bottom));
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
}
"""


def share_of_picture(page):
    """Return the share of the screen's height that is drawn, once charts have followed their place."""
    share = 0.0
    for _ in range(20):
        before, share = share, page.evaluate(PICTURE_SHARE)
        if share and share == before:
            break
        page.wait_for_timeout(250)
    return share
