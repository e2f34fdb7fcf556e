"""Words in three dimensions, to be turned in the browser."""

from collections.abc import Sequence

import numpy as np

from pages.shared.appearance import chart_style
from pages.shared.components import component

_SPACE = component("word_space", "pictures")
_ROLES = {"chosen": "chosen", "near here": "near", "far here": "far", "other": "other"}


def word_space_view(
    words: Sequence[str],
    points: np.ndarray,
    roles: Sequence[str],
    colours: Sequence[str],
    *,
    key: str,
    label: str,
    name: str,
) -> None:
    """Draw words as points that can be dragged round, or turned by the arrow keys.

    Parameters
    ----------
    words : sequence of str
    points : ndarray of shape (n, 3)
    roles : sequence of str
        As in `pages.shared.charts.map_frame`.
    colours : sequence of str
        Of the words that have no role.
    key : str
        Unique on the page.
    label : str
        What the picture shows, for who cannot see it.
    name : str
        Of the exported files, without ending.
    """
    reach = float(np.abs(points).max()) or 1.0
    _SPACE(
        key=key,
        data={
            "words": list(words),
            "points": (points / reach).round(4).tolist(),
            "roles": [_ROLES[role] for role in roles],
            "colours": list(colours),
            "text_size": chart_style().text_size,
            "label": label,
            "name": name,
        },
    )
