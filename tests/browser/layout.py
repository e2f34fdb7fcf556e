"""What is measured of a page's layout in the browser: what is cut, what covers what, what is too small."""

import json

PICTURE_SHARE, LEAST_SHARE = (
    """
() => {
  const drawn = [...document.querySelectorAll(".st-key-picture :is(svg.marks, canvas, .stBidiComponent, .js-plotly-plot, [data-testid=stText])")]
    .filter(element => element.checkVisibility() && !element.closest("[class*=st-key-sentence_], [class*=playback_]"))
    .map(element => element.getBoundingClientRect())
    .filter(box => box.width > 1 && box.height > 1);
  if (!drawn.length) return 0;
  const top = Math.min(...drawn.map(box => box.top));
  const bottom = Math.max(...drawn.map(box => box.bottom));
  return (Math.min(bottom, innerHeight) - Math.max(top, 0)) / innerHeight;
}
""",
    0.55,
)

PART_FAULTS = """
({leastText, leastVerdict, leastPicture, isOfWords}) => {
  const faults = [], main = document.querySelector("[data-testid=stMain]");
  const short = text => text.trim().replace(/\\s+/g, " ").slice(0, 30);
  const seen = element => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true});
  const picture = main.querySelector(".st-key-picture");
  if (!picture || !seen(picture)) return ["no picture"];
  if (main.querySelector("[data-testid=stException]")) faults.push("an error");
  const charts = [...picture.querySelectorAll("svg.marks, canvas, .stBidiComponent, .js-plotly-plot")]
    .filter(element => seen(element) && !element.closest("[class*=st-key-sentence_], [class*=playback_], [class*=st-key-limits_]"));
  if (!charts.length && !isOfWords) faults.push("nothing is drawn");
  for (const chart of charts) {
    const box = chart.getBoundingClientRect();
    if (leastPicture && box.height < 100) faults.push(`a picture of ${Math.round(box.height)} pixels`);
    if (leastPicture && box.bottom > innerHeight + 2) faults.push("the picture ends below the screen");
  }
  // Cut: a place that hides what of its content does not fit into it.
  const cut = element => {
    if (!seen(element) || element.clientHeight < 2) return;
    const style = getComputedStyle(element);
    const down = style.overflowY !== "visible" && element.scrollHeight > element.clientHeight + 2;
    const across = style.overflowX !== "visible" && element.scrollWidth > element.clientWidth + 2;
    if (element.hasAttribute("data-scrolls") || element.tagName === "INPUT") return; // what scrolls by itself
    if (leastPicture && down) faults.push(`cut below by ${element.scrollHeight - element.clientHeight}: ${short(element.textContent)}`);
    if (leastPicture && across) faults.push(`cut at a side by ${element.scrollWidth - element.clientWidth}: ${short(element.textContent)}`);
  };
  const beside = main.querySelector(".st-key-beside");
  if (beside) cut(beside.closest(".stColumn") ?? beside);
  for (const element of picture.querySelectorAll("*")) {
    cut(element);
    element.shadowRoot?.querySelectorAll("*").forEach(cut);
  }
  // Words of a drawing: within its place, legible, none on another.
  const zoom = element => element.currentCSSZoom ?? 1;
  // A drawing may count in units of its own, which are as large as its place makes them.
  const scale = owner => {
    const drawing = owner.ownerSVGElement, units = drawing?.viewBox?.baseVal?.width;
    return units && !drawing.classList.contains("marks") ? drawing.getBoundingClientRect().width / units : zoom(owner);
  };
  const words = root => {
    const found = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode()) && found.length < 700;) {
      const owner = node.parentElement;
      if (!owner || !node.data.trim() || ["STYLE", "SCRIPT", "TITLE", "DESC", "OPTION"].includes(owner.tagName) || !seen(owner)) continue;
      const style = getComputedStyle(owner);
      if (style.clipPath !== "none" || owner.closest("[aria-hidden=true].copy, button[aria-label]")) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      const scroller = owner.closest("[data-scrolls]")?.getBoundingClientRect();
      for (const box of owner.ownerSVGElement ? [owner.getBoundingClientRect()] : range.getClientRects()) {
        if (box.width < 2 || box.height < 2) continue;
        if (scroller && (box.bottom > scroller.bottom + 1 || box.top < scroller.top - 1)) continue; // scrolled away
        found.push({text: short(node.data), box, size: parseFloat(style.fontSize) * scale(owner), owner});
      }
    }
    return found;
  };
  const slanted = owner => {
    const matrix = owner.getScreenCTM?.();
    return matrix && Math.abs(matrix.a) > 0.05 && Math.abs(matrix.b) > 0.05;
  };
  for (const [place, root] of [
    ...[...main.querySelectorAll("svg.marks")].map(svg => [svg.closest(".stVegaLiteChart") ?? svg, svg]),
    ...[...main.querySelectorAll(".st-key-picture *")].filter(e => e.shadowRoot).map(e => [e, e.shadowRoot]),
  ]) {
    if (!seen(place)) continue;
    const within = place.getBoundingClientRect(), found = words(root);
    for (const {text, box, size} of found) {
      if (size < leastText) faults.push(`${size.toFixed(0)} pixels: ${text}`);
      if (root.tagName && (box.left < within.left - 14 || box.right > within.right + 14 || box.top < within.top - 14 || box.bottom > within.bottom + 14))
        faults.push(`over the edge: ${text}`);
    }
    const flat = found.filter(word => !slanted(word.owner));
    flat.forEach((one, i) => flat.slice(i + 1).forEach(other => {
      const a = one.box, b = other.box, high = Math.min(a.height, b.height), wide = Math.min(a.width, b.width);
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (down > 0.35 * high && across > Math.min(4, 0.35 * wide)) faults.push(`one on another: ${one.text} | ${other.text}`);
    }));
  }
  // Words in the place of a picture are as large as those beside one.
  const instead = isOfWords ? [...picture.querySelectorAll("[data-testid=stText], [data-testid=stHeading] :is(h2, h3), [data-testid=stAlert] p")].filter(seen) : [];
  if (isOfWords && !instead.length) faults.push("nothing is written");
  for (const text of instead) {
    const size = parseFloat(getComputedStyle(text).fontSize) * zoom(text);
    if (size < leastVerdict) faults.push(`${size.toFixed(0)} pixels: ${short(text.textContent)}`);
  }
  for (const text of beside && seen(beside) ? beside.querySelectorAll("[data-testid=stMarkdown] p") : []) {
    if (!seen(text) || text.closest("[class*=st-key-predict_], button, [data-testid=stCaptionContainer]")) continue;
    const size = parseFloat(getComputedStyle(text).fontSize) * zoom(text);
    if (size < leastVerdict) faults.push(`${size.toFixed(0)} pixels beside: ${short(text.textContent)}`);
  }
  if (leastPicture)
    for (const row of main.querySelectorAll(".st-key-main_controls, [class*=st-key-main_playback]")) {
      const high = row.getBoundingClientRect().height;
      if (high > innerHeight / 5) faults.push(`controls of ${Math.round(high)} pixels`);
    }
  else {
    const title = main.querySelector("h1").getBoundingClientRect();
    const header = document.querySelector("[data-testid=stHeader]")?.getBoundingClientRect();
    if (main.scrollTop === 0 && header && title.top < header.bottom - 1) faults.push("the title lies under the header");
    if (main.scrollWidth > main.clientWidth) faults.push("the page scrolls sideways");
    for (const control of main.querySelectorAll(".st-key-main_controls > *")) {
      const content = [...control.children].map(child => child.getBoundingClientRect().bottom);
      const empty = control.getBoundingClientRect().bottom - Math.max(...content);
      if (content.length && empty > 40) faults.push(`a hole of ${Math.round(empty)} pixels after a control`);
    }
  }
  return [...new Set(faults)].slice(0, 12);
}
"""

PRESENTED = {"leastText": 14, "leastVerdict": 23.5, "leastPicture": LEAST_SHARE}
PHONE = {"leastText": 9, "leastVerdict": 14, "leastPicture": 0}
"""What a part is held to on a projector at 1280 x 720, and on a phone."""

JUMP = """
url => {
  history.pushState({}, "", url);
  dispatchEvent(new PopStateEvent("popstate"));
}
"""
"""Opens a link without loading the app's scripts again, as the browser's own buttons do."""


def share_of_picture(page):
    """Return the share of the screen's height that is drawn, once charts have followed their place."""
    share = 0.0
    for _ in range(20):
        before, share = share, page.evaluate(PICTURE_SHARE)
        if share and share == before:
            break
        page.wait_for_timeout(250)
    return share


def part_faults(page, held_to):
    """Return what is wrong with the part on screen, once charts have had their time."""
    found = []
    for _ in range(6):
        found = page.evaluate(PART_FAULTS, held_to)
        share = page.evaluate(PICTURE_SHARE)
        if share < held_to["leastPicture"] and not held_to.get("isOfWords"):
            found.append(f"the picture takes {share:.0%} of the height")
        if not found:
            break
        page.wait_for_timeout(300)
    return found


def written(faults):
    """Return faults by state as lines."""
    return json.dumps(faults, indent=1, ensure_ascii=False)
