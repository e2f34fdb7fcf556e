"""What goes on beside the visits for as long as the server serves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from threading import Thread

import streamlit as st

from lm_core.errors import LMCoreError
from pages.shared.tokenizers import PUBLISHED, published_tokenizer
from pages.shared.wake_ups import wake_rarely


@contextlib.asynccontextmanager
async def serving(app: st.App) -> AsyncIterator[None]:
    """Serve with a loop that is woken rarely, and load what first visitors ask for: a lifespan."""
    del app
    wake_rarely(asyncio.get_running_loop())
    Thread(target=preload, name="preload", daemon=True).start()
    yield


def preload() -> None:
    """Load the published tokenizers: half a second. That one is missing is said to who asks for it."""
    for name in PUBLISHED:
        with contextlib.suppress(LMCoreError):
            published_tokenizer(name)
