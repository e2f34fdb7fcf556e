"""What lies folded away, in a popover or an expander, is drawn once a visitor opens it.

A table under each chart would cost every run as much as the chart itself.
"""

from collections.abc import Callable

from streamlit.delta_generator import DeltaGenerator


def draw_when_open(fold: DeltaGenerator, draw: Callable[[], None]) -> None:
    """Draw into a fold if it is open.

    Parameters
    ----------
    fold : popover or expander
        Made with ``on_change="rerun"``, so that opening it runs the page or the fragment again.
    draw : callable, draws what lies in it
    """
    if is_open(fold):
        with fold:
            draw()


def is_open(fold: DeltaGenerator) -> bool:
    """Return whether a visitor sees what lies in a fold."""
    return bool(fold.open)  # type: ignore[attr-defined]  # what `on_change` adds
