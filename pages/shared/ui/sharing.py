"""The link to a page with its settings, and the presenter view."""

from urllib.parse import parse_qs, urlencode

import streamlit as st

from lm_core.errors import LimitError
from pages.shared.classroom.panel import class_panel
from pages.shared.short_links import PARAMETER, Target, short_links
from pages.shared.turns import fragment
from pages.shared.ui.addresses import code_for_phones, page_of, server_of
from pages.shared.ui.controls import (
    Control,
    drawn_controls,
    hidden_names,
    is_presenting,
    unlinked_labels,
)
from pages.shared.ui.messages import show_error
from pages.shared.ui.my_work import draw_my_work, go_to_training, my_work


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


def share_bar(*, shareable: bool = True) -> None:
    """Draw the buttons beside a page's title: one's work, and if it is shareable class, link and presenter view.

    In the presenter view's large type they are fewer: there one's work lies under the link.
    """
    with st.container(key="share_bar", horizontal=True, horizontal_alignment="right", gap="small"):
        go_to_training()
        if not is_presenting():
            my_work()
        if not shareable:
            return
        class_panel()
        share = st.popover("Link", icon=":material/link:", key="share", on_change="rerun")
        if share.open:
            with share:
                fragment(_share_panel)()
                if is_presenting():
                    st.markdown("**My work**")
                    draw_my_work()
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
    short = st.container()
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
    settings = page_link("", controls, present=present, hide=tuple(hide))
    with short:
        _short_link(address, settings)
    st.markdown("**The long link** works on other servers, too.")
    st.code(f"{address}{settings}", language=None, wrap_lines=True)


def _left_behind() -> str:
    """Say what a link carries, and what of this page it does not."""
    labels = ", ".join(f"*{label}*" for label in ["files of your own", *unlinked_labels()])
    return f"It carries every control, the seed included, but no {labels}."


def _short_link(address: str, settings: str) -> None:
    """Draw the link that a class can type, and its code for phones."""
    page = page_of(address)
    asked = parse_qs(settings.removeprefix("?"), keep_blank_values=True)
    try:
        name = short_links().shorten(Target(page, asked))
    except (LimitError, OSError) as error:
        show_error(str(error), st.caption)
        return
    link = f"{server_of(address)}/?{PARAMETER}={name}"
    code, words = st.columns([1, 1.8], vertical_alignment="center")
    code.image(code_for_phones(link), width="stretch")
    with words:
        st.markdown("**A link to this page, for the class**")
        st.code(link, language=None, wrap_lines=True)
        st.caption(_left_behind())
