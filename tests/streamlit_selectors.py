"""Whatever of Streamlit's page the lab's styles and scripts look for: its test ids, classes and attributes.

None of it is promised. `tests/browser/test_streamlit_selectors.py` says which of them a version has not got;
the lab is drawn and served without: what a rule or a script does not find, it leaves as Streamlit has it.
"""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
_TEST_ID = re.compile(r"""\[data-testid\^?=["']?(\w+)["']?\]""")
_CLASS = re.compile(r"(?<![\w-])\.(st[A-Z]\w+)")
_ATTRIBUTE = re.compile(r"\bdata-(?:test-[\w-]+|stale|tag)\b|\bkind(?=\^?=)")
_DATASET = re.compile(r"dataset\??\.(test\w+)|\?\.(test\w+)")


TEST_IDS = """
    stAlert stApp stAppViewContainer stBidiComponent stButtonGroup stCaptionContainer stElementContainer
    stElementToolbar stException stFullScreenFrame stHeader stLayoutWrapper stMain stMainBlockContainer
    stMarkdown stMarkdownContainer stMenuButtonButton stMultiSelect stPageLink stPlotlyChart stPopoverBody
    stPopoverButton stRadioOption stSidebar stSkeleton stText stTextInput stVegaLiteChart stWidgetLabel
""".split()
CLASSES = """
    stBidiComponent stButton stButtonGroup stCheckbox stCode stColumn stDataFrame stHorizontalBlock stMarkdown stMultiSelect
    stPopover stSelectbox stSlider stTextArea stTextInput stVerticalBlock
""".split()
ATTRIBUTES = [
    "data-stale",
    "data-tag",
    "data-test-connection-state",
    "data-test-script-state",
    "kind",
]


def looked_for():
    """Return the test ids, the classes and the attributes that stand in the lab's styles and scripts."""
    paths = [p for p in (ROOT / "pages").rglob("*") if p.suffix in (".js", ".css", ".py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    in_scripts = {a or b for a, b in _DATASET.findall(source)}
    attributes = {"data-" + re.sub("[A-Z]", lambda m: f"-{m[0].lower()}", n) for n in in_scripts}
    return (
        set(_TEST_ID.findall(source)),
        set(_CLASS.findall(source)),
        attributes | set(_ATTRIBUTE.findall(source)),
    )
