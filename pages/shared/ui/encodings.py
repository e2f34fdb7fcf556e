"""The encoding of a file, chosen beside what each one makes of its first special letters."""

import streamlit as st

from lm_core.text.own_text import ENCODINGS, encodings_of
from pages.shared.ui.controls import control


def encoding_titles(*files: bytes) -> dict[str, str]:
    """Return what each encoding is called, and what it makes of the first special letters of a file.

    Where all encodings are known, none is shown.

    `*files`: bytes, the first one counts whose encoding is not known.
    """
    previews = next(filter(None, map(encodings_of, files)), {})
    return {
        codec: f"{title}: {previews[codec]}" if codec in previews else title
        for codec, title in ENCODINGS.items()
    }


def choose_encoding(content: bytes, name: str) -> str:
    """Draw what the first special letters of a file are in each encoding; return the chosen one, or nothing.

    Where the encoding is known, or no letter depends on it, nothing is drawn.

    `name`: str, of the control.
    """
    previews = encodings_of(content)
    if not previews:
        return ""
    if st.session_state.get(name) not in ("", *previews):
        st.session_state.pop(name, None)  # of another file
    return str(
        control(
            st.selectbox,
            name,
            "Encoding: choose the line that reads well",
            ("", *previews),
            in_link=False,
            format_func=lambda codec: (
                f"{ENCODINGS[codec]}: {previews[codec]}" if codec else "found out"
            ),
        )
    )
