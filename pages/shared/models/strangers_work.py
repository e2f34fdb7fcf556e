"""The processes in which this server reads what its visitors bring."""

from typing import Any

from lm_core.bounded_work import BoundedWorkers
from pages.shared.turns import page_turns
from pages.shared.ui.visitor import address


class _LendingWorkers(BoundedWorkers):
    """Workers beside which others have their turns."""

    def call(self, function: str, content: bytes, whose: str = "", **settings: Any) -> Any:
        with page_turns.lent():
            return super().call(function, content, whose, **settings)


WORKERS = _LendingWorkers()


def read_bounded(function: str, content: bytes, **settings: Any) -> Any:
    """Return what a function of `lm_core` makes of what this visitor has brought.

    Raises BoundsError if it takes more than it may. Raises LMCoreError: whatever the function
    raises.
    """
    return WORKERS.call(function, content, address(), **settings)
