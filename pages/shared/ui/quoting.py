"""A stranger's text inside our own sentences."""

import re

from pages.shared.charts.palette import visible

_LONGEST = 40


def as_code(text: str) -> str:
    """Return a text as inline code for Markdown, whatever it holds: spaces visible, long ones cut.

    Examples
    --------
    >>> as_code(" the")
    '`·the`'
    >>> as_code("a`b")
    '``a`b``'
    """
    shown = "".join(
        c if c.isprintable() else f"⟨U+{ord(c):04X}⟩" for c in visible(text)[: _LONGEST + 1]
    )
    if len(shown) > _LONGEST:
        shown = f"{shown[:_LONGEST]}…"
    runs = {len(run) for run in re.findall("`+", shown)}
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"
