"""The link to a page with its settings, also for another site's frame, and the presenter view."""

from html import escape

import streamlit as st

from lm_core.errors import LimitError
from lm_core.settings import settings
from pages.shared.classroom.panel import class_panel
from pages.shared.registry import page_at
from pages.shared.server.short_links import (
    LINKS_OF_ADDRESS,
    LINKS_OF_VISITOR,
    PARAMETER,
    Target,
    short_links,
)
from pages.shared.trainings.my_work import draw_my_work, my_work
from pages.shared.turns import fragment
from pages.shared.ui.addresses import code_for_phones, for_others, link_to
from pages.shared.ui.controls import (
    Control,
    drawn_controls,
    hidden_names,
    is_presenting,
    unlinked_labels,
)
from pages.shared.ui.markdown import as_code
from pages.shared.ui.messages import show_error
from pages.shared.ui.visitor import address as visitors_address
from pages.shared.ui.visitor import visitor


def settings_in_link(
    controls: dict[str, Control], *, present: bool = False, hide: tuple[str, ...] = ()
) -> dict[str, list[str]]:
    """Return the parameters that restore every control, those at their default included.

    Examples
    --------
    >>> settings_in_link({"seed": Control("Seed", ("7",))}, hide=("seed", "prompt"))
    {'seed': ['7'], 'hide': ['seed,prompt']}
    """
    parameters = {name: list(drawn.values) for name, drawn in controls.items()}
    if present:
        parameters["present"] = ["1"]
    if hide:
        parameters["hide"] = [",".join(hide)]
    return parameters


def share_bar(page: str, *, shareable: bool = True) -> None:
    """Draw the buttons beside a page's title: one's work, the class, and if it is shareable link and presenter view.

    In the presenter view's large type they are fewer: there one's work lies under the link.
    """
    with st.container(key="share_bar", horizontal=True, horizontal_alignment="right", gap="small"):
        if not is_presenting():
            my_work()
        class_panel()
        if not shareable:
            return
        share = st.popover("Link", icon=":material/link:", key="share", on_change="rerun")
        if share.open:
            with share:
                fragment(_share_panel)(page)
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


def _share_panel(page: str) -> None:
    controls = drawn_controls()
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
    target = Target(page, settings_in_link(controls, present=present, hide=tuple(hide)))
    with short:
        _short_link(target)
    st.markdown("**The long link** works on other servers, too.")
    st.code(for_others(link_to(*target)), language=None, wrap_lines=True)
    if hosts := settings().framing_hosts():
        _frame(target, hosts)


def _frame(target: Target, hosts: tuple[str, ...]) -> None:
    """Draw the code that shows the page within a page of a learning platform."""
    link = for_others(link_to(target.address, {**target.parameters, "embed": "true"}))
    st.markdown(f"**To embed this page** in one of {', '.join(map(as_code, hosts))}, paste this.")
    st.code(
        f'<iframe src="{escape(link)}" title="{escape(page_at(target.address).title)}" width="100%"'
        ' height="720" style="border: 0" allow="clipboard-write"></iframe>',
        language=None,
        wrap_lines=True,
    )


def _left_behind() -> str:
    """Say what a link carries, and what of this page it does not."""
    labels = ", ".join(f"*{label}*" for label in ["files of your own", *unlinked_labels()])
    return f"It carries every control, the seed included, but no {labels}."


def _short_link(target: Target) -> None:
    """Draw the link that a class can type, and its code for phones."""
    owners = {visitor(): LINKS_OF_VISITOR, visitors_address(): LINKS_OF_ADDRESS}
    try:
        name = short_links().shorten(target, owners)
    except (LimitError, OSError) as error:
        show_error(str(error), st.caption)
        return
    link = for_others(link_to("", {PARAMETER: name}))
    code, words = st.columns([1, 1.8], vertical_alignment="center")
    code.image(code_for_phones(link), width="stretch", alt="Code for phones: it opens this link.")
    with words:
        st.markdown("**A link to this page, for the class**")
        st.code(link, language=None, wrap_lines=True)
        st.caption(_left_behind())
