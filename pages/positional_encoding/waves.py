"""Columns of the sinusoidal encoding as curves: two waves, each with its sine and its cosine."""

import math
from typing import NamedTuple

from lm_core.models.positional_encoding.absolute import sinusoidal_positions, wave_frequencies
from pages.shared import page
from pages.shared.charts.palette import BLUE, ORANGE
from pages.shared.numbers import significant

_WIDTHS, _LAST_PAIR = (16, 32, 64), 6
_POSITIONS = 81
_COLOURS, _NAMES = (BLUE, ORANGE), ("sine", "cosine")


class Chosen(NamedTuple):
    """Which two neighbouring pairs of columns are drawn, and of which encoding."""

    first_wave: int = page.field(page.slider, "First pair j", 0, _LAST_PAIR, 3, width=200)
    wave_position: int = page.field(page.slider, "Position", 0, _POSITIONS - 1, 10, width=200)
    wave_width: int = page.folded(page.pick, "Width d", _WIDTHS, 32)


def waves(screen: page.FirstScreen) -> None:
    """Draw two pairs of columns over the positions; the slower pair waits for the guess."""
    chosen = page.controls(Chosen, screen)
    periods = [2 * math.pi / speed for speed in wave_frequencies(chosen.wave_width).tolist()]
    first, second = periods[chosen.first_wave], periods[chosen.first_wave + 1]
    columns = [2 * chosen.first_wave + i for i in range(4)]
    codes = sinusoidal_positions(_POSITIONS, chosen.wave_width)[:, columns].tolist()
    names = [f"{column}: {_NAMES[i % 2]}" for i, column in enumerate(columns)]
    asked = page.ask(
        screen,
        "wavelength",
        f"Columns {columns[0]} and {columns[1]} repeat after {first:.0f} positions. After how many do columns"
        f" {columns[2]} and {columns[3]}?",
        {f"{first:.0f}, as those": first, f"{2 * first:.0f}, twice as many": 2 * first}
        | {f"{second:.0f}": second},
        right=second,
        reason=f"After **{second:.0f}**, because each pair is slower than the one before by the same factor,"
        f" 10,000 to the power of 2/{chosen.wave_width} = {second / first:.2f}. So the wavelengths grow as"
        " digits of a number do: fast ones for near places, slow ones for far places.",
        when=chosen == page.starts(Chosen)._replace(wave_position=chosen.wave_position),
    )
    with screen.picture:
        page.show_lines(
            "waves",
            {
                name: list(enumerate(column))
                for name, column in zip(names, zip(*codes, strict=True), strict=True)
            },
            {name: page.LineStyle(_COLOURS[i // 2], i % 2) for i, name in enumerate(names)},
            page.Axis("position i", (0, _POSITIONS - 1)),
            page.Axis("number in the column", (-1.05, 1.05)),
            hidden=asked.hides(*names[2:]),
            guess=asked.at(lambda period: (period, 0.0)),
            now=chosen.wave_position,
            height=340,
        )
    page.note_beside(
        screen, _explained(names, codes[chosen.wave_position], chosen.wave_position, asked.masks)
    )


def _explained(names: list[str], numbers: list[float], place: int, is_masked: bool) -> str:
    shown = list(zip(names, numbers, strict=True))[: 2 if is_masked else 4]
    said = ", ".join(f"{name} {significant(number, 2)}" for name, number in shown)
    return (
        f"A column of the encoding is a wave over the positions. At position {place} the row holds: {said}. Sine and"
        " cosine of one pair have the same wavelength, shifted by a quarter, because one of them alone has each"
        " value twice in a turn; together they tell where in the turn a position is."
    )
