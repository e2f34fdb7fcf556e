"""What the theme in `.streamlit/config.toml` cannot say: content width, presenter view, phone."""

import re
from functools import cache
from typing import NamedTuple

import streamlit as st

from pages.shared.charts.drawing import TEXT_SIZE
from pages.shared.ui.controls import hidden_names, is_presenting

_ALWAYS = """
/* What the tab key reaches is not left under the menu. */
[data-testid="stMain"] { scroll-padding-top: 4.5rem; }
[data-testid="stMainBlockContainer"] {
  max-width: 1200px; margin-inline: auto; padding-top: 4.5rem; padding-bottom: 4rem;
}
/* The bar of a lesson takes its height from the page: what lies above the title gives it back. */
:where([data-testid="stMain"]:has(.st-key-lesson_bar)) [data-testid="stMainBlockContainer"] { padding-top: 3rem; }
/* A long title takes two lines and leaves what is beside it its room. */
.st-key-page_title { flex-wrap: nowrap; }
.st-key-page_title > :not(:has(.st-key-share_bar)) { flex: 1 1 0; min-width: 0; }
.st-key-page_title > :has(.st-key-share_bar) { flex: none; width: auto; }
.st-key-page_title h1 { padding: 0; font-size: 1.7rem; line-height: 1.15; text-wrap: balance; }
.st-key-share_bar { flex-wrap: nowrap; width: auto; }
.st-key-page_lead { flex-wrap: nowrap; }
.st-key-page_lead > :not(:has([data-testid="stPopoverButton"])) { flex: 1 1 0; min-width: 0; }
.st-key-page_lead > :has([data-testid="stPopoverButton"]) { flex: none; width: auto; }
/* A code is read from the back row; the link that it belongs to stays in one line. */
[data-testid="stPopoverBody"]:has(.st-key-class_code) { width: 26rem; max-width: calc(100vw - 1rem); }
/* A table that opens near the lower edge opens upwards: what would be a slit has no room below. */
[data-testid="stPopoverBody"]:has(.stDataFrame) { min-height: min(15rem, 46dvh); }
.st-key-class_code p { font-size: 4rem; font-weight: 700; line-height: 1; white-space: nowrap; }
.st-key-lobby_code p { font-size: min(7rem, 20vw); font-weight: 700; line-height: 1; white-space: nowrap; }
:is(.st-key-class_link, .st-key-lobby_link) code { font-size: 0.9rem; white-space: nowrap !important; }
/* A paused screen: what is hidden takes no taps and no focus, and nothing of it is lost. Streamlit has buttons
  that are visible within what is hidden. */
body:has(.st-key-class_rests) :not(.st-key-class_rests, .st-key-class_rests *) { visibility: hidden !important; }
.st-key-class_rests {
  visibility: visible; position: fixed; inset: 0; z-index: 1000000; padding: 2rem;
  align-items: center; justify-content: center; text-align: center; background: #16181D;
}
.st-key-class_rests * { color: #F2F2F2 !important; }
/* Who has come has four lines at most: what follows stays on the screen. */
.st-key-lobby_names { max-height: 7.5rem; overflow-y: auto; }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-inline: 1rem; padding-top: calc(3.75rem + 4px); }
  /* Code breaks its lines: what scrolls sideways would have to be reached by keys as well. */
  .stCode pre, .stCode code { white-space: pre-wrap !important; overflow-wrap: anywhere; }
  .st-key-page_title h1 { font-size: 1.3rem !important; line-height: 1.25 !important; padding-right: 0.8rem; }
  /* Small controls are two in a row. */
  [class*="st-key-pairs_"] { flex-flow: row wrap; align-items: end; }
  [class*="st-key-pairs_"] > * { flex: 1 1 45%; width: auto; min-width: 0; }
  [data-testid="stButtonGroup"] > div { flex-wrap: wrap; }
  [class*="st-key-pairs_"] > :has([data-testid="stPageLink"]) { flex-basis: 100%; }
  /* The picture comes first, then the controls, then what is beside it; what a page is about, below. */
  [data-testid="stLayoutWrapper"]:has(> .st-key-page_title, > .st-key-class_bar, > .st-key-first_screen),
    PART { order: -1; }
  /* Which part of a page is drawn, in one line above the picture. */
  .st-key-first_screen :is(.st-key-main_controls, [data-testid="stLayoutWrapper"]):has(> PART,
    > .st-key-main_controls > PART) { display: contents; }
  :is(.st-key-part_controls, [data-testid="stLayoutWrapper"]:has(> .st-key-part_controls)) { display: contents; }
  /* One below the other they are as high as they are: a width in the row is no height here. */
  :is(.st-key-main_controls, .st-key-part_controls) > * { flex: none !important; }
  .st-key-main_controls:has(> PART) > * { order: 1; }
  .st-key-main_controls > PART { order: 0; }
  PART [data-testid="stButtonGroup"] > div { flex-wrap: nowrap; overflow-x: auto; }
  PART [data-testid="stButtonGroup"] button { flex: none; }
  /* Fragments around it have no box: all of the page is one column, in which it is lifted. */
  [data-testid="stMainBlockContainer"] > .stVerticalBlock
    :is([data-testid="stLayoutWrapper"], .stVerticalBlock):has(.st-key-first_screen):not(
    :has(> .st-key-first_screen)) { display: contents; }
  .st-key-first_screen :is([data-testid="stLayoutWrapper"], .stHorizontalBlock):has(
    > .stHorizontalBlock > .stColumn .st-key-picture, > .stColumn .st-key-picture) {
    display: contents;
  }
  .st-key-first_screen .stColumn:has(.st-key-picture, .st-key-beside) { flex: none; width: 100%; }
  .st-key-first_screen > :has(> .st-key-main_controls) { order: 1; }
  .stColumn:has(.st-key-beside) { order: 2; }
  /* Beside the arcs lies what is tapped to change them. */
  .st-key-first_screen:has(.st-key-all_heads) .stColumn:has(.st-key-beside) { order: 0; }
  /* What plays the picture stays at the thumb, wherever it lies in the page. */
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-main_playback"]) {
    position: sticky; bottom: 0; z-index: 10; background: Canvas;
    padding-block: 0.3rem; border-top: 1px solid color-mix(in srgb, currentColor 25%, transparent);
  }
  /* What lies beside a field has no room there. */
  :is([class*="st-key-wraps_"], .st-key-wrapped_fields) { flex-wrap: wrap; }
  [class*="st-key-wraps_"] > *, .st-key-wrapped_fields > :has([data-testid="stTextInput"]) { flex: 1 1 100%; }
  /* Tokens in columns, which no phone is wide enough for, are moved sideways. */
  [class*="st-key-sideways_"] { overflow-x: auto; align-items: start; padding-bottom: 1rem; }
  [class*="st-key-sideways_"] > * { width: 44rem; max-width: none; flex: none; }
  /* A narrow chart's own buttons would lie on the one below it, which offers as much. */
  [class*="st-key-charted_"] [data-testid="stElementToolbar"] { display: none; }
  .st-key-page_title { gap: 0.5rem; }
  .st-key-share_bar { gap: 0.4rem; }
  .st-key-share_bar button { padding: 0.25rem 0.5rem; }
  .st-key-share_bar [data-testid="stPopoverButton"] > div > :nth-child(2) { display: none; }
  .st-key-share_bar [data-testid="stMarkdownContainer"] {
    position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  }
}
/* On a phone a chart that is far from the screen is drawn later: see `charts_in_sight.js`. */
@media screen and (max-width: 640px) and (pointer: coarse) {
  [class*="st-key-charted_"]:not([data-near]) { min-height: 20rem; }
  [class*="st-key-charted_"]:not([data-near]) [data-testid="stVegaLiteChart"] { display: none; }
}
/* By finger no key is pressed. */
@media (pointer: coarse) { .stButton kbd { display: none; } }
/* What is to be said of a control stands below the row and takes no width from it. */
:is(.st-key-main_controls, .st-key-part_controls) > [data-testid="stElementContainer"]:has(
  [data-testid="stAlert"], [data-testid="stCaptionContainer"]) { flex: 1 0 100%; order: 9; }
/* Small grey text is legible: Streamlit's own has a contrast of 4.2 : 1 on white. */
[data-testid="stCaptionContainer"] { opacity: 0.75 !important; }
[data-testid="stCaptionContainer"] code { color: inherit !important; }
/* So is code, on its ground: Streamlit's blue, green and grey have less than 4.5 : 1. */
.stCode .token:is(.keyword, .function, .class-name, .decorator) { color: light-dark(#00517E, #7CC6F2) !important; }
.stCode .token:is(.comment, .punctuation) { color: light-dark(#5A5F66, #A6ACB5) !important; }
.stCode .token.string { color: light-dark(#00613F, #6FD6A8) !important; }
.stCode .token:is(.boolean, .number, .operator, .builtin) { color: light-dark(#8A3A00, #F0A868) !important; }
/* On the light blue of the dark theme words are dark, and in it as light as a link. */
button[kind^="primary"]:not(:disabled), [data-tag] > * { color: Canvas !important; }
button[kind^="primary"]:not(:disabled):is(:hover, :focus-visible, :active) {
  background: light-dark(#005A8C, #7CC6F2) !important;
}
button[kind="tertiary"]:not(:disabled):is(:hover, :focus, :active) { color: light-dark(#005A8C, #7CC6F2) !important; }
/* What is not chosen, and what cannot be pressed yet, is seen in both themes. */
[data-testid="stRadioOption"]:not(:has(:checked)) > div > :first-child { border-color: color-mix(in srgb, currentColor 60%, transparent) !important; }
button:disabled, button:disabled * { color: light-dark(rgb(32 36 42 / 0.6), rgb(233 231 226 / 0.55)) !important; }
/* Whoever moves by keys sees where they are: Streamlit's ring has a contrast of 2.3 : 1, and none where colours are forced. */
:is(a, button, summary, [role="button"], [role="slider"]):focus-visible, label:has(:focus-visible),
  .stDataFrame:focus-within, .stSlider [data-rac]:has(> div > input:focus-visible) {
  outline: 2px solid light-dark(#0067A0, #56B4E9) !important; outline-offset: 1px !important;
}
/* What is touched is 24 pixels wide, the end of a list of choices too. */
[data-testid="stMultiSelect"] input { min-width: 24px; }
/* Streamlit's limit is a hair below the label's width in Firefox, which then cuts it. */
:is([data-testid="stPopoverButton"], [data-testid="stMenuButtonButton"]) > div { max-width: calc(100% + 0.3125rem + 1px) !important; }
/* The last label of an axis may reach into the space between the charts. */
svg.marks { overflow: visible; }
/* A chart's or table's own buttons appear below it, where they hide no heading. */
:is([data-testid="stElementContainer"], [data-testid="stFullScreenFrame"]):has(
  > [data-testid="stElementToolbar"]) { position: relative; }
[data-testid="stElementToolbar"] { top: auto !important; bottom: -2.1rem; }
[data-testid="stElementToolbar"]:focus-within { opacity: 1 !important; }
/* For screen readers only. */
[class*="st-key-charted_"] > [data-testid="stElementContainer"]:has(> [data-testid="stText"]) {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
/* Over the page, without room of its own. */
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-floating_"]) { position: absolute; }
/* A control that only carries into the link what another one shows. */
[data-testid="stLayoutWrapper"]:has(> [class*="st-key-in_link_"]) { display: none; }
/* What ticks once a second must not grow pale each time. */
[class*="st-key-live"] [data-stale="true"] { opacity: 1 !important; transition: none !important; }
/* Whoever forces colours on all pages reads pictures by their own, on paper of their own. */
@media (forced-colors: active) {
  :is([data-testid="stVegaLiteChart"], [data-testid^="stBidiComponent"], [data-testid="stPlotlyChart"]) {
    forced-color-adjust: none; background: light-dark(#FFFFFF, #14171B);
  }
  /* What is chosen, and where a slider stands, is told by grounds, which forced colours take away. */
  .stCheckbox label > span + div, SLIDER > :first-child, SLIDER > :has(> div > input), .stButtonGroup button:is([aria-checked="true"],
    [aria-pressed="true"]), [data-testid="stRadioOption"]:has(:checked) > div > :first-child {
    forced-color-adjust: none; background: Highlight !important; color: HighlightText !important;
  }
  .stCheckbox:not([data-selected]) label > span + div, SLIDER > :first-child { background: Canvas !important; }
  .stCheckbox label > span + div, SLIDER > :first-child { outline: 1px solid CanvasText; }
  .stCheckbox label > span + div > div { background: CanvasText !important; }
  .stCheckbox[data-selected] label > span + div > div { background: HighlightText !important; }
}
@media (prefers-reduced-motion: reduce) {
  *, *::before, *::after { animation-duration: 0s !important; transition: none !important; }
}
"""

_PART = ":is(.st-key-part, .st-key-shape, .st-key-ablation)"
"""The controls that choose what a page is about."""
_SLIDER = ".stSlider [role='group'] > [data-rac]"  # the line of a slider, then its thumb
_SHOWN = (
    ".st-key-page_title, .st-key-link_notes, .st-key-first_screen, .st-key-part, .st-key-part_controls,"
    " [class*='st-key-main_playback'], [data-testid='stException']"
)
"""What the presenter view keeps of a page that has a first screen."""
_CHART = (
    "[data-testid='stVegaLiteChart'],"
    " [data-testid^='stBidiComponent']:not([class*='st-key-floating_'] *,"
    " [class*='st-key-sentence_'] *, [class*='playback_'] *)"
)
"""What grows in the presenter view; a sentence above a chart keeps its own height."""

_PRESENTING = """
html { font-size: 24px !important; }
[data-testid="stSidebar"], [data-testid="stHeader"] { display: none; }
[data-testid="stMainBlockContainer"] { max-width: none; padding: 0.25rem 1rem 0.4rem; }
.stVerticalBlock { gap: 0.4rem; }
/* One line: the title, the class, the lesson, and what leads away. */
.st-key-page_title { min-height: 2rem; gap: 0.5rem !important; }
.st-key-page_title h1 { font-size: 1.3rem !important; line-height: 1.1; }
.st-key-page_title:has(.st-key-class_bar, .st-key-lesson_bar) h1 { font-size: 1rem !important; }
.st-key-page_title:has(.st-key-class_take_back) h1 { font-size: 0.8rem !important; }
/* While a class answers within a lesson, the switch goes without its words: the line is full. */
.st-key-page_title:has(.st-key-lesson_bar):has(.st-key-class_take_back) [class*="st-key-class_leads_"]
  [data-testid="stWidgetLabel"] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
.st-key-page_title > :has(.st-key-class_bar, .st-key-lesson_bar) { flex: none; width: auto; }
.st-key-page_title > :not(:has(h1)) { zoom: 0.75; }
.st-key-page_title :is(.st-key-class_bar, .st-key-class_bar :is(.stVerticalBlock, .stHorizontalBlock,
  [data-testid="stLayoutWrapper"], [data-testid="stElementContainer"]), .st-key-lesson_bar, .st-key-share_bar) {
  width: auto; flex-wrap: nowrap; gap: 0.4rem; white-space: nowrap;
}
.st-key-page_title:has(.st-key-class_bar, .st-key-lesson_bar) :is(.st-key-share_bar,
  .st-key-class_take_back, .st-key-class_talk_fold, .st-key-class_pace, .st-key-class_pause, .st-key-lesson_bar [kind="tertiary"]) [data-testid="stMarkdownContainer"] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
}
[data-testid="stPopoverBody"] > * { zoom: 0.75; }
/* Controls are the presenter's alone: the class reads the picture. */
:is(.st-key-main_controls, .st-key-part_controls, .stVerticalBlock > .st-key-part, .st-key-writing_buttons,
  [class*="st-key-main_playback"]) { zoom: 0.75; }
.st-key-main_controls [class*="st-key-main_playback"] { zoom: 1; }
/* Six texts side by side, or eight in two rows; once revealed, each with how many chose it. */
.st-key-live_whose_text { zoom: 0.85; }
.st-key-tolstoy_passages { zoom: 0.71; }
.st-key-live_whose_text:has(.stColumn:nth-child(3)) { zoom: 0.72; }
[data-testid="stMain"]:has(.st-key-whose_guesses) .st-key-class_answers { display: none; }
[data-testid="stMainBlockContainer"]:has(.st-key-first_screen) {
  /* The first screen alone, as high as the window. */
  & > .stVerticalBlock { height: calc(100vh - 0.65rem); }
  & :is([data-testid="stElementContainer"], [data-testid="stLayoutWrapper"]):not(
    SHOWN, :is(SHOWN) *, :has(SHOWN)) { display: none; }
  /* What the picture is in grows to the height that is left, and so does each chart in it. */
  & :is(.stVerticalBlock, .stHorizontalBlock, [data-testid="stElementContainer"],
    [data-testid="stLayoutWrapper"]):is(:has(.st-key-picture), .st-key-picture,
    .st-key-picture :has(CHART)) { flex: 1 1 0; min-height: 0; }
  & .stHorizontalBlock:is(:has(.st-key-picture), .st-key-picture :has(CHART)) {
    align-items: stretch; flex-wrap: nowrap;
  }
  & .st-key-picture :is(.stBidiComponent, .stBidiComponent > :last-child):not(
    [class*="playback_"] *) { height: 100%; }
  /* A line of letters above a chart is as high as it is. */
  & .st-key-picture .st-key-vowel_strip { flex: none !important; }
  & .st-key-picture .st-key-vowel_strip :is(.stBidiComponent, .stBidiComponent > :last-child) { height: auto; }
  /* While the class is asked something else, that alone stands beside the picture. */
  & .st-key-beside:has(.st-key-class_card, .st-key-class_answers)
    > :not(:has(.st-key-class_card, .st-key-class_answers)) { display: none; }
  /* What is moved within the picture is the presenter's, too, and names of its halves fit into a line. */
  & .st-key-picture [data-testid="stElementContainer"]:has(.stSlider, .stButtonGroup, .stTextInput,
    .stSelectbox, .stMultiSelect, .stTextArea):not([class*="st-key-main_playback"] *) { zoom: 0.75; }
  & .st-key-picture [data-testid="stButtonGroup"] > div { flex-wrap: wrap; overflow: visible; mask: none; }
  & .st-key-picture .stSlider { display: flex; align-items: center; gap: 0.75rem; }
  & .st-key-picture .stSlider > label { width: auto; flex: none; min-height: 0; }
  & .st-key-picture .stSlider > div { flex: 1 1 0; min-width: 0; }
  & .st-key-picture .stColumn [data-testid="stMarkdown"] { zoom: 0.85; }
  & .st-key-picture :is([data-testid="stMarkdown"] p, [data-testid="stText"] *) { line-height: 1.25; }
  & .st-key-picture [class*="st-key-beam_"] [data-testid="stText"] * { line-height: 1.42; }
  & .st-key-picture:not(:has(.st-key-beam_2)) [class*="st-key-beam_"] [data-testid="stText"] * {
    font-size: 1.1rem; line-height: 1.6; }
  /* What lies beside the picture takes the room it needs, and no more; a chart there, what is left below. */
  & .stColumn:has(.st-key-beside) { overflow-y: auto; }
  & .stColumn:has(.st-key-beside):has(CHART):not(:has(.st-key-class_answers)) :is(.stVerticalBlock,
    [data-testid="stElementContainer"], [data-testid="stLayoutWrapper"]):has(CHART) { flex: 1 1 0; min-height: 6rem; }
  & .stColumn:has(.st-key-beside):not(:has(CHART)) {
    flex: 0 0 auto; width: fit-content; min-width: 0; max-width: 28%;
  }
  & .stColumn:has(.st-key-beside [class*="st-key-predict_"], .st-key-class_card) { max-width: 33% !important; }
  & .st-key-beside { gap: 0.3rem !important; }
  /* Streamlit lets the last paragraph's margin hang out below its place, where it could only be scrolled to. */
  & .st-key-beside [data-testid="stMarkdown"] :is([data-testid="stMarkdownContainer"]:has(> p:last-child),
    [data-testid="stMarkdownContainer"] > p:last-child) { margin-bottom: 0; }
  & .st-key-beside [data-testid="stElementToolbar"] { display: none; }
  & .st-key-beside [class*="st-key-predict_"] { padding: 0.4rem 0.6rem; gap: 0.2rem; }
  & .st-key-beside [class*="st-key-predict_"] :is(.stButton, .stPopover) { zoom: 0.75; }
  & .st-key-beside [class*="st-key-predict_"] :is([role="radiogroup"], .stHorizontalBlock) { gap: 0.1rem 0.6rem; }
  & .st-key-beside [class*="st-key-predict_"] label { line-height: 1.25; padding-block: 0.1rem; }
  & .st-key-beside [data-testid="stCaptionContainer"] { zoom: 0.85; }
}
""".replace("SHOWN", _SHOWN).replace("CHART", _CHART)

_EMBEDDED = """
/* In the frame of a learning platform a page has no menu, because the platform has one. */
[data-testid="stHeader"] { display: none; }
[data-testid="stMain"] { scroll-padding-top: 0.5rem; }
[data-testid="stMainBlockContainer"] { padding-top: 0.75rem !important; padding-bottom: 1rem; }
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
    return ChartStyle(24, colour, 1.6) if is_presenting() else ChartStyle(TEXT_SIZE, colour, 1.0)


def apply() -> None:
    """Set the page's width and, if the address asks for them, big type and hidden controls."""
    # Popovers lie outside of what Streamlit gives a scheme.
    rules = [f":root {{ color-scheme: {st.context.theme.type or 'light'}; }}"]
    rules.append(_ALWAYS.replace("PART", _PART).replace("SLIDER", _SLIDER))
    if st.context.is_embedded:
        rules.append(_EMBEDDED)
    if is_presenting():
        rules.append(_PRESENTING)
    rules += [_hiding(name) for name in sorted(hidden_names())]
    st.html(f"<style>{_without_comments(' '.join(rules))}</style>")


@cache
def _without_comments(rules: str) -> str:
    """Return the rules as every whole run sends them to every phone."""
    return re.sub(r"/\*.*?\*/|(?<=[\s{};])\s+", "", rules, flags=re.DOTALL)


def _hiding(name: str) -> str:
    """Return the rule that hides a control, and the column that would hold nothing else."""
    control = f":is(.st-key-{name}, .st-key-{name}_slider)"
    column = f".stColumn:has(> .stVerticalBlock > {control}:only-child)"
    return f"{control}, {column} {{ display: none; }}"
