"""What goes on beside the visits for as long as the server serves."""

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from threading import Thread

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.text.tokenizers.tokenizer import Tokenizer, tokenize
from pages.shared.models import tokenizers
from pages.shared.rooms.store import forget_outdated
from pages.shared.server.housekeeping import tidy_for_ever
from pages.shared.server.streamlit_inside.addresses import own_addresses
from pages.shared.server.streamlit_inside.sessions import forget_closed_sessions

_PURGE_EVERY_S = 5.0


@contextlib.asynccontextmanager
async def serving(app: st.App) -> AsyncIterator[None]:
    """Load what first visitors ask for, and tidy up: a lifespan."""
    del app
    sys.stderr.write(f"LM Lab: {' and '.join(own_addresses()) or 'started'}\n")
    Thread(target=preload, name="preload", daemon=True).start()
    Thread(target=tidy_for_ever, args=(forget_outdated,), name="tidy", daemon=True).start()
    purge = asyncio.create_task(forget_closed_pages())
    yield
    purge.cancel()


async def forget_closed_pages() -> None:
    """Let go of pages closed two minutes ago, by the clock: their files fill the server's memory."""
    while True:
        await asyncio.sleep(_PURGE_EVERY_S)
        forget_closed_sessions()


def preload() -> None:
    """Load the tokenizers and what was counted in the book, and use each tokenizer once: a second.

    What is missing is said to who asks for it.
    """
    loads: tuple[Callable[[], Tokenizer], ...] = (
        *(partial(tokenizers.published_tokenizer, name) for name in tokenizers.PUBLISHED),
        tokenizers.book_tokenizer,
    )
    for load in loads:
        with contextlib.suppress(LMCoreError):
            tokenize(load(), "a")
    with contextlib.suppress(LMCoreError):
        tokenizers.book_statistics()
