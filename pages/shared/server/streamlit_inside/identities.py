"""Controls in closed popovers that a page has set, of which a browser must forget its own values."""

import functools
from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator_singletons import get_last_dg_added_to_context_stack
from streamlit.elements.lib import utils
from streamlit.runtime.scriptrunner_utils.script_run_context import get_script_run_ctx

IDENTITIES = "lab_identities"


def tell_identities_apart() -> None:
    """Name a control to browsers anew where it has another identity; call it once."""
    utils._compute_element_id = _with_identity(utils._compute_element_id)


def _with_identity(compute: Callable[..., str]) -> Callable[..., str]:
    """Return the function that names an element to the browser, which now tells identities apart."""

    @functools.wraps(compute)
    def compute_element_id(kind: str, user_key: str | None = None, **settings: object) -> str:
        if user_key and (identity := _identities().get(user_key)) is not None:
            settings["identity"] = identity
        return compute(kind, user_key, **settings)

    return compute_element_id


def _identities() -> dict[str, int]:
    """Return the identities of this visit's controls; each element asks, and Streamlit's way is long."""
    context = get_script_run_ctx()
    if context is None:
        return {}
    state = context.session_state._state
    kept: dict[str, int] = state._new_session_state.get(IDENTITIES) or state._old_state.get(
        IDENTITIES, {}
    )
    return kept


def forget_what_is_folded_away(name: str) -> None:
    """Give a control in a popover another identity if the page has just set it; the popover is being drawn."""
    context, fold = get_script_run_ctx(), get_last_dg_added_to_context_stack()
    if context is None or fold is None or "popover" not in fold._ancestor_block_types:
        return
    state = context.session_state._state
    if name not in state._new_session_state:
        return
    identities = st.session_state.setdefault(IDENTITIES, {})
    identities[name] = identities.get(name, 0) + 1
    # For a new identity the URL would decide, which still says the value before; that it is an old control
    # has Streamlit write the new value there.
    state.query_params._initial_query_params.pop(name, None)
    state._old_state.setdefault(name, state._new_session_state[name])
