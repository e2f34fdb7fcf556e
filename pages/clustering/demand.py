"""What takes longer than a moved control may: computed when asked for, and kept."""

import streamlit as st


def asked_for(name: str, key: str, label: str, *, first_is_free: bool = False) -> bool:
    """Return whether a result is wanted; where nobody has asked yet, draw the button.

    Parameters
    ----------
    name : str
        Of the kind of result, unique on the page.
    key : str
        What exactly it would be computed from: other points are asked for anew.
    label : str
        The button's.
    first_is_free : bool
        Whether what the visitor finds on arrival is computed unasked.
    """
    asked = f"clusters_asked_{name}"
    if first_is_free:
        st.session_state.setdefault(asked, key)
    if st.session_state.get(asked) == key:
        return True
    if st.button(label, type="primary", key=f"ask_{name}"):
        st.session_state[asked] = key
        st.rerun()
    return False
