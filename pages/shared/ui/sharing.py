"""The link to a page with its settings, and the presenter view."""

from urllib.parse import urlencode

import streamlit as st

from pages.shared.turns import fragment
from pages.shared.ui.controls import Control, drawn_controls, hidden_names, is_presenting


def page_link(
    address: str,
    controls: dict[str, Control],
    *,
    present: bool = False,
    hide: tuple[str, ...] = (),
) -> str:
    """Return the absolute link that restores every control, those at their default included.

    Examples
    --------
    >>> page_link("http://lab/page", {"seed": Control("Seed", ("7",))}, hide=("seed",))
    'http://lab/page?seed=7&hide=seed'
    """
    parameters = [(name, value) for name, c in controls.items() for value in c.values]
    if present:
        parameters.append(("present", "1"))
    if hide:
        parameters.append(("hide", ",".join(hide)))
    return f"{address}?{urlencode(parameters, safe=',')}" if parameters else address


@fragment
def share_bar() -> None:
    """Draw the two buttons beside a page's title: its link, and the presenter view."""
    with st.container(key="share_bar", horizontal=True, horizontal_alignment="right", gap="small"):
        share = st.popover("Link", icon=":material/link:", key="share", on_change="rerun")
        if share.open:
            with share:
                _share_panel()
        label = "Leave" if is_presenting() else "Present"
        if st.button(label, icon=":material/co_present:", key="present_toggle"):
            if is_presenting():
                del st.query_params["present"]
            else:
                st.query_params["present"] = "1"
            st.rerun()


def _share_panel() -> None:
    controls = drawn_controls()
    address = st.context.url or ""
    st.markdown("**A link to this page** with every control, the seed included.")
    present = st.toggle("In presenter view", value=is_presenting(), key="share_present")
    labels = {name: control.label for name, control in controls.items()}
    hide = st.pills(
        "Controls that the class should not see yet",
        list(labels),
        format_func=labels.__getitem__,
        selection_mode="multi",
        default=[name for name in labels if name in hidden_names()],
        key="share_hide",
    )
    link = page_link(address, controls, present=present, hide=tuple(hide))
    st.code(link, language=None, wrap_lines=True)
    st.caption("The button in the corner of the box copies it.")
