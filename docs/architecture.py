"""Draw the architecture from the imports: ``python docs/architecture.py`` writes ``architecture.svg``.

Each box is a room; rooms are laid in the fewest floors in which every arrow falls. An arrow is an
import; one that longer ways imply is left out. A test holds the picture to the code.
"""

import ast
from html import escape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PICTURE = Path(__file__).with_name("architecture.svg")
BASE = {"__init__", "__main__", "assets", "errors", "files", "rng"}
_WIDTH, _FLOOR, _BOX, _TALL = 960, 96, 172, 46


def room_of(dotted: str) -> str | None:
    """Return the room that a module lies in; None for the base, which every room is built on."""
    parts = dotted.split(".")
    if parts[0] == "lm_core":
        return parts[1] if len(parts) > 1 and parts[1] not in BASE else None
    if parts[0] == "pages" and len(parts) > 1:
        return "pages/shared" if parts[1] == "shared" else "pages/<address>"
    return "app.py" if parts[0] == "app" else None


def imports() -> dict[str, set[str]]:
    """Return which rooms each room imports."""
    arrows: dict[str, set[str]] = {}
    for path in [ROOT / "app.py", *ROOT.glob("lm_core/**/*.py"), *ROOT.glob("pages/**/*.py")]:
        room = room_of(".".join(path.relative_to(ROOT).with_suffix("").parts))
        if room is None:
            continue
        names: list[str] = []
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                names += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            elif isinstance(node, ast.Import):
                names += [alias.name for alias in node.names]
        found = {there for name in names if (there := room_of(name))}
        arrows.setdefault(room, set()).update(found - {room})
    return arrows


def reached(room: str, arrows: dict[str, set[str]]) -> set[str]:
    """Return all rooms that a room imports, itself or by way of others."""
    return arrows[room].union(*(reached(there, arrows) for there in arrows[room]))


def without_implied(arrows: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the arrows that no longer way implies (the transitive reduction)."""
    return {
        room: theirs - set().union(*(reached(there, arrows) for there in theirs))
        for room, theirs in arrows.items()
    }


def floors(arrows: dict[str, set[str]], rooms: list[str]) -> dict[str, int]:
    """Return each room's floor: 0 for one that imports none, else one above the highest it imports."""
    height: dict[str, int] = {}

    def of(room: str) -> int:
        if room not in height:
            height[room] = 1 + max((of(there) for there in arrows.get(room, ())), default=-1)
        return height[room]

    return {room: of(room) for room in rooms}


def picture() -> str:
    """Return the picture as SVG."""
    arrows = without_implied(imports())
    height = floors(arrows, sorted(arrows))
    top = max(height.values())
    middle: dict[str, tuple[float, float]] = {}
    for floor in range(top + 1):
        here = sorted(room for room in arrows if height[room] == floor)
        for i, room in enumerate(here):
            # Every other floor is shifted, so that no arrow hides behind a box that it passes.
            x = _WIDTH * (i + 1) / (len(here) + 1) + (45 if floor % 2 else -45)
            middle[room] = (x, 30 + (top - floor) * _FLOOR + _TALL / 2)
    lines = [
        f'<path d="M{x:.0f} {y + _TALL / 2:.0f} C{x:.0f} {y + 70:.0f} {u:.0f} {v - 70:.0f}'
        f' {u:.0f} {v - _TALL / 2:.0f}" marker-end="url(#tip)"/>'
        for room in sorted(arrows)
        for there in sorted(arrows[room])
        for (x, y), (u, v) in [(middle[room], middle[there])]
    ]
    boxes = [
        f'<rect x="{x - _BOX / 2:.0f}" y="{y - _TALL / 2:.0f}" width="{_BOX}" height="{_TALL}" rx="6"/>'
        f'<text x="{x:.0f}" y="{y + 5:.0f}">{escape(room)}</text>'
        for room, (x, y) in sorted(middle.items())
    ]
    tall = 60 + top * _FLOOR + _TALL
    style = (
        "path{fill:none;stroke:#9aa3ad;stroke-width:1}"
        "rect{fill:#f4f2ed;stroke:#0067a0}"
        "text{font:600 14px sans-serif;text-anchor:middle;fill:#20242a}"
    )
    tip = (
        '<marker id="tip" markerWidth="7" markerHeight="7" refX="6" refY="3" orient="auto">'
        '<path d="M0 0L6 3L0 6z" style="fill:#9aa3ad;stroke:none"/></marker>'
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {tall}" role="img"'
        ' aria-label="Rooms of the project; every arrow is an import and points down">'
        f"<style>{style}</style><defs>{tip}</defs>"
        f'<rect width="{_WIDTH}" height="{tall}" style="fill:#fff;stroke:none"/>'
        + "\n".join([*lines, *boxes])
        + "</svg>\n"
    )


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
