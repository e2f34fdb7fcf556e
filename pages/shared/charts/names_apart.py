"""Names beside a chart's lines and points, moved apart so that none covers another."""

from collections.abc import Mapping, Sequence


def side_by_side(reaches: Mapping[str, tuple[float, float]]) -> list[list[str]]:
    """Return names in groups, of which none reaches as far to the right as the next one begins.

    `reaches`: mapping of str to (begin, end), of each name, from left to right.
    """
    groups: list[list[str]] = []
    reach = -1.0
    for name in sorted(reaches, key=reaches.__getitem__):
        begin, end = reaches[name]
        if begin > reach:
            groups.append([])
        groups[-1].append(name)
        reach = max(reach, end)
    return groups


def spread(places: Sequence[float], least: float) -> list[float]:
    """Move rising places between 0 and 1 apart to the least distance, each as little as may be.

    They stay between 0 and 1 as long as there is room.

    Examples
    --------
    >>> spread([0.5, 0.5], 0.2)
    [0.4, 0.6]
    """
    groups: list[tuple[float, int]] = []  # of each: the middle, and how many names it holds
    for place in places:
        groups.append((place, 1))
        while len(groups) > 1 and _overlap(groups[-2], groups[-1], least):
            middle, n = groups.pop()
            before, n_before = groups.pop()
            together = n + n_before
            groups.append(((middle * n + before * n_before) / together, together))
    spread_out = []
    for group in groups:
        lowest, _ = _ends(group, least)
        spread_out += [round(lowest + i * least, 6) for i in range(group[1])]
    return spread_out


def _ends(group: tuple[float, int], least: float) -> tuple[float, float]:
    """Return the places of a group's lowest and highest name, between 0 and 1 if there is room."""
    middle, n = group
    half = (n - 1) / 2 * least
    middle = max(half, min(middle, 1.0 - half))
    return middle - half, middle + half


def _overlap(lower: tuple[float, int], upper: tuple[float, int], least: float) -> bool:
    return _ends(upper, least)[0] - _ends(lower, least)[1] < least - 1e-9
