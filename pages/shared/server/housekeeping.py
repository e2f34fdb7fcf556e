"""What the clock starts, also while nobody visits: what was promised to be deleted is."""

import logging
import threading
from collections.abc import Callable

from lm_core.errors import LMCoreError
from lm_core.jobs import store
from pages.shared.server.visitor_store import visitor_store

_EVERY_S = 60.0
_LOG = logging.getLogger(__name__)


def tidy_up() -> None:
    """Remove what visitors who stay away had left, private trainings after their time, and deleted ones.

    Raises LMCoreError if the settings name no folder that can be used, and OSError if the disk
    refuses.
    """
    visitor_store().purge()
    store.forget_private()
    store.forget_deleted()


def tidy_for_ever(*more: Callable[[], None]) -> None:
    """Tidy up, and do more, every minute for as long as the process lives; what fails is tried again."""
    while True:
        for tidy in (tidy_up, *more):
            try:
                tidy()
            except (LMCoreError, OSError):
                _LOG.exception("What visitors have left could not be tidied up")
        threading.Event().wait(_EVERY_S)
