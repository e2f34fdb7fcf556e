"""Text from outside as Markdown: what a visitor, a link or a file says is shown, never obeyed.

Streamlit reads labels, captions, messages and paragraphs as Markdown. Whatever is not written in this
project goes through `escaped` (as running text) or `as_code` (as inline code) on its way there.
"""

import re

from pages.shared.charts.palette import visible

_LONGEST_QUOTED = 40
# Within a word _ means nothing.
_MARKUP = re.compile(r"([\\`*\[\]<>|~$&]|(?<![^\W_])_|_(?![^\W_]))")
_BLOCK = re.compile(r"^([#+=-]|\d+[.)])")
_JOINER = "\N{WORD JOINER}"
_NAMED = re.compile(r"[:@](?=\S)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where a colour, an icon, an emoji or an address has its mark: Streamlit and GitHub's Markdown find
these in the text after all escapes are resolved, so only something between its letters ends them."""


def escaped(text: object) -> str:
    r"""Return a text as one line of Markdown that shows it as it is, whatever it holds.

    Examples
    --------
    >>> escaped("![x](https://y.z) *now*")
    '!\\[x\\](https:\u2060//y.z) \\*now\\*'
    """
    line = " ".join(_printable(" ".join(str(text).split())).split())
    line = _NAMED.sub(rf"\g<0>{_JOINER}", _MARKUP.sub(r"\\\1", line))
    return _BLOCK.sub(lambda found: f"{found[1][:-1]}\\{found[1][-1]}", line)


def as_code(text: str) -> str:
    """Return a text as inline code for Markdown, whatever it holds: spaces visible, long ones cut.

    Examples
    --------
    >>> as_code(" the")
    '`·the`'
    >>> as_code("a`b")
    '``a`b``'
    """
    shown = _printable(visible(text)[: _LONGEST_QUOTED + 1])
    if len(shown) > _LONGEST_QUOTED:
        shown = f"{shown[:_LONGEST_QUOTED]}…"
    runs = {len(run) for run in re.findall("`+", shown)}
    fence = "`" * next(n for n in range(1, len(runs) + 2) if n not in runs)
    pad = " " if shown.startswith("`") or shown.endswith("`") else ""
    return f"{fence}{pad}{shown}{pad}{fence}"


def _printable(text: str) -> str:
    """Return a text with the code points of characters that cannot be seen or turn its direction."""
    return "".join(c if c.isprintable() else f"⟨U+{ord(c):04X}⟩" for c in text)
