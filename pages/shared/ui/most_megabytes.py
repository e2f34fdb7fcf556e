"""How many megabytes a place for files says that it takes: what the lab reads, as far as this server lets it in."""

import streamlit as st

from lm_core.text.file_limits import in_megabytes


def most_megabytes(most: int) -> int:
    """Return the megabytes of a file that is taken here, rounded up.

    `most`: int, bytes, of `lm_core.text.file_limits.LIMITS`.
    """
    return in_megabytes(most, int(st.get_option("server.maxUploadSize")))
