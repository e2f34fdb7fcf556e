"""What the theme in `.streamlit/config.toml` cannot say: content width, presenter view, phone."""

from typing import NamedTuple

import streamlit as st

from pages.shared.ui.controls import hidden_names, is_presenting

_ALWAYS = """
[data-testid="stMainBlockContainer"] {
  max-width: 1200px; margin-inline: auto; padding-top: 4.5rem; padding-bottom: 4rem;
}
.st-key-page_title h1 { padding: 0; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-inline: 1rem; padding-top: 4rem; }
  h1 { font-size: 1.7rem !important; }
  /* Small controls are two in a row. */
  [class*="st-key-pairs_"] { flex-flow: row wrap; align-items: end; }
  [class*="st-key-pairs_"] > * { flex: 1 1 45%; width: auto; min-width: 0; }
  [class*="st-key-pairs_"] > :has([data-testid="stPageLink"]) { flex-basis: 100%; }
}
/* For screen readers only. */
[class*="st-key-unseen_"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
/* Over the page, without room of its own. */
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-floating_"]) { position: absolute; }
/* What ticks once a second must not grow pale each time. */
[class*="st-key-live"] [data-stale="true"] { opacity: 1 !important; transition: none !important; }
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 0s !important; transition: none !important; }
}
"""

_PRESENTING = """
html { font-size: 24px !important; }
[data-testid="stSidebar"], [data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { max-width: 1600px; padding-top: 2rem; }
.stVerticalBlock { gap: 0.6rem; }
"""

_TEXT_COLOUR = {"light": "#20242A", "dark": "#E9E7E2"}
"""As in `.streamlit/config.toml`: Vega's own labels do not follow the theme."""


class ChartStyle(NamedTuple):
    """How a chart is drawn for this visitor: size and colour of its text, growth of its height."""

    text_size: int
    text_colour: str
    growth: float


def chart_style() -> ChartStyle:
    """Return the style that fits this visitor's theme and view; 24 px carry to the back row."""
    colour = _TEXT_COLOUR.get(st.context.theme.type or "light", _TEXT_COLOUR["light"])
    return ChartStyle(24, colour, 1.6) if is_presenting() else ChartStyle(13, colour, 1.0)


def apply() -> None:
    """Set the page's width and, if the address asks for them, big type and hidden controls."""
    rules = [_ALWAYS]
    if is_presenting():
        rules.append(_PRESENTING)
    rules += [_hiding(name) for name in sorted(hidden_names())]
    st.html(f"<style>{' '.join(rules)}</style>")


def _hiding(name: str) -> str:
    """Return the rule that hides a control, and the column that would hold nothing else."""
    control = f".st-key-{name}"
    column = f".stColumn:has(> .stVerticalBlock > {control}:only-child)"
    return f"{control}, {column} {{ display: none; }}"
