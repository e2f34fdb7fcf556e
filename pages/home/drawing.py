"""Small pictures without words, as SVG: lines, dots, bars and a heat map, legible on light and dark."""

import math
from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 240, 120
_MARGIN = 8
_AXIS = "#8A8F96"

Points = Sequence[tuple[float, float]]
Range = tuple[float, float]


def svg(*parts: str) -> str:
    """Return a picture made of parts, each a string of SVG elements."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{''.join(parts)}</svg>\n"
    )


class Frame:
    """A place for data: from values to pixels, on linear or logarithmic axes.

    `x`, `y`: pair of float, what the axes reach from and to.
    """

    def __init__(
        self, x: Range, y: Range, *, has_log_x: bool = False, has_log_y: bool = False
    ) -> None:
        self._x, self._y = x, y
        self._log_x, self._log_y = has_log_x, has_log_y

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a value lies in the picture."""
        across = _share(x, self._x, self._log_x)
        up = _share(y, self._y, self._log_y)
        return (
            round(_MARGIN + across * (WIDTH - 2 * _MARGIN), 1),
            round(HEIGHT - _MARGIN - up * (HEIGHT - 2 * _MARGIN), 1),
        )

    def axes(self) -> str:
        """Return the two axes as thin grey lines."""
        left, bottom, top, right = _MARGIN, HEIGHT - _MARGIN, _MARGIN, WIDTH - _MARGIN
        path = f"M{left} {top}V{bottom}H{right}"
        return f'<path d="{path}" fill="none" stroke="{_AXIS}" stroke-width="1"/>'

    def line(self, points: Points, colour: str, *, width: float = 2.5, opacity: float = 1.0) -> str:
        """Return a line through points."""
        places = " ".join(f"{x:g},{y:g}" for x, y in (self.place(*point) for point in points))
        return (
            f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="{width:g}"'
            f' stroke-linejoin="round" opacity="{opacity:g}"/>'
        )

    def dots(self, points: Points, colour: str, *, radius: float = 2.5) -> str:
        """Return a dot at each point."""
        return "".join(
            f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" opacity=".85"/>'
            for x, y in (self.place(*point) for point in points)
        )

    def graph(
        self,
        lines: Iterable[tuple[str, Iterable[tuple[float, float]]]],
        *more: str,
        radius: float = 0,
        under: str = "",
    ) -> str:
        """Return a picture of the axes, of lines in their colours, with dots of that radius, and of more parts."""
        parts = [self.axes(), under]
        for colour, points in lines:
            pairs = list(points)
            parts += [
                self.line(pairs, colour),
                *[self.dots(pairs, colour, radius=radius)] * (radius > 0),
            ]
        return svg(*parts, *more)

    def cross(self, point: tuple[float, float], colour: str) -> str:
        """Return a centre's mark."""
        x, y = self.place(*point)
        return (
            f'<path d="M{x - 5:g} {y:g}h10M{x:g} {y - 5:g}v10" stroke="{colour}" stroke-width="3"/>'
        )


def bars(shares: Sequence[float], colour: str, marked: str | None = None) -> str:
    """Return horizontal bars, the longest as wide as the picture, the first in another colour."""
    step = (HEIGHT - 2 * _MARGIN) / len(shares)
    longest = max(shares)
    return "".join(
        f'<rect x="{_MARGIN}" y="{_MARGIN + i * step:.1f}" height="{0.7 * step:.1f}" rx="1.5"'
        f' width="{max(1.5, share / longest * (WIDTH - 2 * _MARGIN)):.1f}"'
        f' fill="{marked if marked and not i else colour}"/>'
        for i, share in enumerate(shares)
    )


def heat_map(rows: Sequence[Sequence[float | None]], colours: Sequence[str]) -> str:
    """Return a matrix of numbers from 0 to 1, each cell in one of the colours; None leaves it empty.

    Cells are square where the matrix is.
    """
    n_rows, n_columns = len(rows), len(rows[0])
    high = (HEIGHT - 2 * _MARGIN) / n_rows
    wide = high if n_rows == n_columns else (WIDTH - 2 * _MARGIN) / n_columns
    left = (WIDTH - wide * n_columns) / 2
    return "".join(
        f'<rect x="{left + j * wide:.1f}" y="{_MARGIN + i * high:.1f}" width="{wide + 0.3:.1f}"'
        f' height="{high + 0.3:.1f}" fill="{colours[round(share * (len(colours) - 1))]}"/>'
        for i, row in enumerate(rows)
        for j, share in enumerate(row)
        if share is not None
    )


def tokens(lengths: Iterable[Sequence[int]], colours: Sequence[Sequence[str]]) -> str:
    """Return rows of tokens, each as wide as its characters, in the colours of each row that take turns."""
    rows = list(lengths)
    unit = (WIDTH - 2 * _MARGIN) / max(map(sum, rows))
    high = (HEIGHT - 2 * _MARGIN) / len(rows)
    parts = []
    for i, row in enumerate(rows):
        x = float(_MARGIN)
        for j, length in enumerate(row):
            parts.append(
                f'<rect x="{x:.1f}" y="{_MARGIN + i * high:.1f}" width="{length * unit - 1.5:.1f}"'
                f' height="{0.7 * high:.1f}" rx="3" fill="{colours[i][j % len(colours[i])]}"/>'
            )
            x += length * unit
    return "".join(parts)


def _share(value: float, axis: Range, is_logarithmic: bool) -> float:
    low, high = axis
    value = min(max(value, min(axis)), max(axis))
    if is_logarithmic:
        return math.log(value / low) / math.log(high / low)
    return (value - low) / (high - low)
