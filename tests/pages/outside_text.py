"""A text that would draw images, links and colours if a page read it as Markdown, and where it does."""

import re

MARK = "zqx"
OUTSIDE = (
    f"![{MARK}](https://{MARK}.example) [{MARK}](https://{MARK}.example) <b>{MARK}</b>"
    f" :red[{MARK}] ${MARK}$ **{MARK}** www.{MARK}.example a@{MARK}.example :smile: `{MARK}"
)
_LIVE = (
    f"[{MARK}",
    "](https",
    f"<b>{MARK}",
    ":red[",
    f"${MARK}",
    f"://{MARK}",
    f"www.{MARK}",
    f"@{MARK}",
    ":smile:",
    f"`{MARK}",
)
_READ_AS_MARKDOWN = {"label", "help", "body", "title", "caption", "captions", "content"}
_PLAIN = {"Text", "Html", "Json", "Code"}


def live_markdown(app) -> list[str]:
    """Return what of `OUTSIDE` a page hands over as Markdown that Streamlit would obey."""
    protos = [node.proto for node in _below(app._tree) if getattr(node, "proto", None) is not None]
    bodies = [body for proto in protos for body in _strings(proto)]
    return [body for body in bodies if any(sign in _unescaped(body) for sign in _LIVE)]


def _below(node):
    yield node
    for child in getattr(node, "children", {}).values():
        yield from _below(child)


def _strings(proto):
    """Return the strings of an element that Streamlit reads as Markdown, at any depth."""
    kind = proto.DESCRIPTOR.name
    if kind in _PLAIN:
        return
    markdown = set(_READ_AS_MARKDOWN)
    markdown |= {"text"} if kind in ("Progress", "Spinner") else set()
    markdown |= {"options"} if kind == "Radio" else set()
    for field, value in proto.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type:
            for part in values:
                yield from _strings(part) if hasattr(part, "ListFields") else ()
        elif field.name in markdown:
            yield from (part for part in values if isinstance(part, str))


def _unescaped(body: str) -> str:
    """Return what is left of Markdown without its escapes and its inline code."""
    without_escapes = re.sub(r"\\[!-/:-@\[-`{-~]", "", body)
    return re.sub(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)", "", without_escapes)
