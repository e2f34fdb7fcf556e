"""Where this server is found, and what it leads to, in Streamlit's own settings."""

import streamlit as st

from pages.shared.server.streamlit_inside.reliances import ADDRESSES, is_on


def never_ask_outside() -> None:
    """Keep Streamlit from asking a host on the internet for this server's address.

    It does so when it starts, and in the event loop whenever the origin of a connection is strange:
    for up to two seconds then nobody is answered.
    """
    from streamlit import net_util

    net_util.get_external_ip = lambda: None


def replace_folder_menu() -> None:
    """Say before the first visitor comes that the lab has a menu of its own.

    A link deep into the lab then opens its page, where Streamlit would still be reading the folder
    `pages` as a menu. `st.navigation` says the same, but warns outside of a visit.
    """
    from streamlit.runtime.pages_manager import PagesManager

    PagesManager.uses_pages_directory = False


def own_addresses() -> list[str]:
    """Return where this server is found: on this machine, and on its network."""
    if not is_on(ADDRESSES):
        return []
    from streamlit import net_util
    from streamlit.web.server.server_util import get_url

    set_by_hand = st.get_option("server.address")
    hosts = [set_by_hand] if set_by_hand else ["localhost", net_util.get_internal_ip() or ""]
    return [get_url(host) for host in hosts if host]


def allowed_origins() -> list[str]:
    """Return the addresses that Streamlit's settings name as this server's, or allow beside it."""
    named: list[str] = [*st.get_option("server.corsAllowedOrigins")]
    if is_on(ADDRESSES):
        from streamlit import config

        if config.is_manually_set("browser.serverAddress"):
            named.append(f"//{st.get_option('browser.serverAddress')}")
    return named
