"""What the lab does by way of Streamlit's private names, the names that it takes, and what it is without.

A name is written ``module:attribute.of.it``, with its parameters where the lab calls it in Streamlit's
place; ``static/...`` is a file that Streamlit brings, and ``part ...`` one that its manifest knows.
"""

import importlib
import inspect
import json
import logging
import pkgutil
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import streamlit

from lm_core.errors import SettingError
from pages.shared.server.fonts import FACES

STATIC = Path(streamlit.__file__).with_name("static")
"""What Streamlit serves to browsers."""

PARTS = ("BidiComponent", "Html", "Button", "Selectbox", "Slider", "Radio", "ArrowVegaLiteChart")
"""Streamlit's names of what most pages draw with, in the order in which they come into sight."""

_LOG = logging.getLogger(__name__)
_NAME = re.compile(r"(?P<module>[\w.]+)(:(?P<path>[\w.]+)(\((?P<parameters>[\w, ]*)\))?)?")


@dataclass(frozen=True)
class Reliance:
    """Something that the lab does by way of private names."""

    what: str
    without: str
    """What a visitor, or who runs the server, has instead; empty if the lab does not start without."""
    names: tuple[str, ...]
    begins: str = ""
    """What turns it on when the server starts, if anything must: ``module:function``, here."""


_CONTEXT = "streamlit.runtime.scriptrunner_utils.script_run_context"
_RUNNER = "streamlit.runtime.scriptrunner.script_runner:ScriptRunner"
_REQUESTS = "streamlit.runtime.scriptrunner_utils.script_requests"
_SESSION = "streamlit.runtime.app_session:AppSession"
_STATE = "streamlit.runtime.state.session_state:SessionState"
_SAFE_STATE = "streamlit.runtime.state.safe_session_state:SafeSessionState"
_PARAMETERS = "streamlit.runtime.state.query_params:QueryParams"
_UPLOADS = "streamlit.runtime.memory_uploaded_file_manager:MemoryUploadedFileManager"

SHORTCUTS = Reliance(
    "Shortcuts through each run",
    "a run takes a tenth more of a processor's time, and sends 18 kB more",
    (
        "streamlit.type_util:get_func_parameters",
        "streamlit.emojis:ALL_EMOJIS",
        f"{_RUNNER}._maybe_handle_execution_control_request(self)",
        f"{_RUNNER}._requests",
        f"{_REQUESTS}:ScriptRequests._state",
        f"{_REQUESTS}:ScriptRequestType.CONTINUE",
        *(
            f"streamlit.delta_generator:DeltaGenerator.{name}"
            for name in (
                "__deepcopy__(self, _memo)",
                "__init__(self, root_container, cursor, parent, block_type)",
                *("_root_container", "_cursor", "_parent"),
                *("_block_type", "_form_data", "_creating_fragment_id"),
            )
        ),
        f"{_SESSION}._populate_app_pages(self, msg, pages)",
        "streamlit.runtime.app_session:_populate_theme_msg(msg, section)",
        "streamlit.runtime.forward_msg_cache:populate_hash_if_needed(msg)",
        f"{_CONTEXT}:populate_hash_if_needed",
        "streamlit.proto.ForwardMsg_pb2:ForwardMsg",
        f"{_SAFE_STATE}.filtered_state",
        f"{_SAFE_STATE}._lock",
        f"{_SAFE_STATE}._state",
        f"{_SAFE_STATE}.__getitem__(self, key)",
        f"{_STATE}._key_id_mapper",
        f"{_STATE}._new_session_state",
        f"{_STATE}._old_state",
        "streamlit.runtime.state.common:GENERATED_ELEMENT_ID_PREFIX",
    ),
    begins="shortcuts:take_shortcuts",
)
QUIET_START = Reliance(
    "A start that asks no host on the internet",
    "Streamlit asks one for this machine's address, where the origin of a connection is strange",
    ("streamlit.net_util:get_external_ip()",),
    begins="addresses:never_ask_outside",
)
FRAGMENT_RUNS = Reliance(
    "Leaving out runs of fragments that end a browser's page, and keeping what was pressed for those that never begin",
    "a page may turn white, and is then loaded again; what is pressed while a page is drawn may be lost",
    (
        f"{_RUNNER}._run_script(self, rerun_data)",
        f"{_RUNNER}._pages_manager",
        f"{_RUNNER}._requests",
        "streamlit.runtime.pages_manager:PagesManager.current_page_script_hash",
        f"{_SESSION}.request_rerun(self, client_state)",
        f"{_SESSION}._scriptrunner",
        f"{_SESSION}._event_loop",
        f"{_REQUESTS}:ScriptRequests._state",
        f"{_REQUESTS}:ScriptRequests._lock",
        f"{_REQUESTS}:ScriptRequests._rerun_data",
        f"{_REQUESTS}:ScriptRequestType.STOP",
        f"{_REQUESTS}:ScriptRequestType.RERUN",
        f"{_REQUESTS}:_coalesce_widget_states(old_states, new_states)",
        f"{_REQUESTS}:RerunData.page_script_hash",
        f"{_REQUESTS}:RerunData.widget_states",
        f"{_REQUESTS}:RerunData.fragment_id_queue",
        "streamlit.proto.ClientState_pb2:ClientState",
    ),
    begins="fragment_runs:leave_out_harmful_fragment_runs",
)
PUSHED_RUNS = Reliance(
    "Telling the pages of a class what has changed, by runs that the server begins",
    "each page in a class asks by a clock, which costs a third of a server and keeps phones busy",
    (
        f"{_CONTEXT}:get_script_run_ctx",
        f"{_CONTEXT}:ScriptRunContext.session_id",
        f"{_CONTEXT}:ScriptRunContext.page_script_hash",
        f"{_CONTEXT}:ScriptRunContext.fragment_ids_this_run",
        f"{_CONTEXT}:ThreadState.get()",
        f"{_CONTEXT}:FragmentThreadState.fragment_id",
        "streamlit.runtime:get_instance",
        "streamlit.runtime:Runtime._session_mgr",
        "streamlit.runtime.websocket_session_manager:WebsocketSessionManager.get_active_session_info",
        f"{_SESSION}.request_rerun(self, client_state)",
        f"{_SESSION}._scriptrunner",
        f"{_SESSION}._event_loop",
        f"{_SESSION}._client_state",
        "streamlit.proto.ClientState_pb2:ClientState",
    ),
)
HISTORY_MOVES = Reliance(
    "The settings of a page that the browser's Back leads to",
    "Back opens a page on the defaults of those controls that the page before has as well",
    (
        f"{_RUNNER}._run_script(self, rerun_data)",
        f"{_RUNNER}._session_state",
        f"{_REQUESTS}:RerunData.is_history_navigation",
        f"{_SAFE_STATE}.query_params(self)",
        f"{_PARAMETERS}.clear_with_no_forward_msg(self, preserve_embed)",
        f"{_PARAMETERS}.remove_stale_bindings",
    ),
    begins="history_moves:restore_all_settings",
)
FORGOTTEN_CONTROLS = Reliance(
    "Leaving out what a browser still says of controls that a link has made its visit forget",
    "a link that is followed while a page runs may lose settings to those of the page before",
    (
        f"{_STATE}.set_widgets_from_proto(self, widget_states)",
        f"{_STATE}._new_widget_state",
        f"{_STATE}._key_id_mapper",
        "streamlit.runtime.state.session_state:WStates.widget_metadata",
        "streamlit.runtime.state.common:user_key_from_element_id",
        "streamlit.proto.WidgetStates_pb2:WidgetStates",
    ),
    begins="forgotten_controls:leave_out_forgotten_controls",
)
IDENTITIES = Reliance(
    "Telling a browser of a control in a closed popover that the page has set",
    "such a control goes back to what the browser had at the next click",
    (
        "streamlit.elements.lib.utils:_compute_element_id(element_type, user_key, kwargs)",
        "streamlit.delta_generator_singletons:get_last_dg_added_to_context_stack()",
        "streamlit.delta_generator:DeltaGenerator._ancestor_block_types",
        f"{_CONTEXT}:ScriptRunContext.session_state",
        f"{_CONTEXT}:get_script_run_ctx",
        f"{_SAFE_STATE}._state",
        f"{_STATE}._new_session_state",
        f"{_STATE}._old_state",
        f"{_STATE}.query_params",
        f"{_PARAMETERS}._initial_query_params",
    ),
    begins="identities:tell_identities_apart",
)
POPOVERS = Reliance(
    "Leaving it to the browser whether a popover is open",
    "a popover that is closed before the server has answered opens once more",
    (
        "streamlit.delta_generator:_enqueue_add_block(delta_path, block_proto, agent_props)",
        "streamlit.proto.Block_pb2:Block",
    ),
    begins="popovers:leave_to_browsers",
)
LINKS = Reliance(
    "Links within the lab that decide all settings of the page that they lead to",
    "a link to another page may keep a setting of the page before, and QR codes may lead to a wrong page",
    (
        f"{_CONTEXT}:get_script_run_ctx",
        f"{_CONTEXT}:ScriptRunContext.context_info",
        f"{_CONTEXT}:ScriptRunContext.fragment_ids_this_run",
        f"{_CONTEXT}:ScriptRunContext.is_history_navigation",
        f"{_CONTEXT}:ScriptRunContext.session_state",
        f"{_SAFE_STATE}.query_params(self)",
        f"{_SAFE_STATE}._state",
        f"{_STATE}.is_new_state_value(self, user_key)",
        f"{_PARAMETERS}.clear_with_no_forward_msg(self, preserve_embed)",
        f"{_PARAMETERS}.remove_stale_bindings",
    ),
)
OWN_MENU = Reliance(
    "A menu of the lab's own before the first visit",
    "the first link deep into the lab may open the home page",
    ("streamlit.runtime.pages_manager:PagesManager.uses_pages_directory",),
    begins="addresses:replace_folder_menu",
)
CLOSED_PAGES = Reliance(
    "Letting go of closed pages by the clock, and counting the files that they hold",
    "closed pages fill memory until the next page is closed, and uploads are bounded each, not together",
    (
        "streamlit.runtime:get_instance",
        "streamlit.runtime:Runtime.uploaded_file_mgr",
        "streamlit.runtime:Runtime._session_mgr",
        "streamlit.runtime.websocket_session_manager:WebsocketSessionManager._session_storage",
        "streamlit.runtime.websocket_session_manager:WebsocketSessionManager.list_sessions",
        "streamlit.runtime.memory_session_storage:MemorySessionStorage._cache",
        "streamlit.runtime.caching.ttl_cache:TTLCache.expire",
        f"{_UPLOADS}.file_storage",
        f"{_UPLOADS}._lock",
        f"{_UPLOADS}.remove_session_files(self, session_id)",
    ),
)
ADDRESSES = Reliance(
    "Saying at the start where the lab is found, and taking browser.serverAddress for this server's",
    "the log names no address, and pages under browser.serverAddress are foreign ones",
    (
        "streamlit.config:is_manually_set",
        "streamlit.net_util:get_internal_ip()",
        "streamlit.web.server.server_util:get_url(host_ip)",
    ),
)
MESSAGES = Reliance(
    "Reading what browsers ask for, before Streamlit does",
    "",  # without it any program could empty the caches of all visitors
    ("streamlit.proto.BackMsg_pb2:BackMsg",),
)
VISITS = Reliance("Telling a visit from the server's start", "", ("streamlit.runtime:exists()",))
MESSAGES_TOGETHER = Reliance(
    "Sending what a run draws together",
    "a run takes a fifth more of a processor's time",
    (
        f"{_SESSION}._on_scriptrunner_event",
        f"{_SESSION}._handle_scriptrunner_event_on_event_loop",
        f"{_SESSION}._call_soon_on_event_loop(self, callback)",
        f"{_SESSION}._event_loop",
        f"{_SESSION}.flush_browser_queue(self)",
        f"{_SESSION}.on_flushed_messages_sent(self)",
        "streamlit.runtime.runtime:Runtime._enqueued_some_message(self)",
        "streamlit.runtime.runtime:Runtime._get_async_objs(self)",
        "streamlit.runtime.runtime:Runtime._send_message(self, session_info, msg)",
        "streamlit.runtime.runtime:Runtime._session_mgr",
        "streamlit.runtime.scriptrunner:ScriptRunner",
        "streamlit.runtime.scriptrunner:ScriptRunnerEvent.ENQUEUE_FORWARD_MSG",
        "streamlit.runtime.session_manager:SessionClientDisconnectedError",
    ),
    begins="messages_together:send_together",
)
COMPRESSION = Reliance(
    "Compressing messages with the memory of the run before",
    "a move sends up to four times as many bytes",
    ("uvicorn.protocols.websockets.websockets_sansio_impl:ServerPerMessageDeflateFactory",),
    begins="compressed_messages:remember_the_run_before",
)
OWN_FONTS = Reliance(
    "Fonts cut down to the letters and icons that are used",
    "a first visit loads Streamlit's fonts, which are larger",
    (
        "static/static/css/index.*.css",
        *(f"static/static/media/{face.original}.*.woff2" for face in FACES),
    ),
)
EARLY_PARTS = Reliance(
    "Loading early what most pages draw with",
    "on a slow network a first visit waits a second longer",
    ("static/manifest.json", *(f"part {name}" for name in ("index.html", *PARTS))),
)
RELIANCES = (
    *(SHORTCUTS, QUIET_START, FRAGMENT_RUNS, HISTORY_MOVES, FORGOTTEN_CONTROLS, IDENTITIES, LINKS),
    *(
        OWN_MENU,
        CLOSED_PAGES,
        ADDRESSES,
        MESSAGES,
        VISITS,
        MESSAGES_TOGETHER,
        COMPRESSION,
        OWN_FONTS,
    ),
    *(EARLY_PARTS, PUSHED_RUNS, POPOVERS),
)


def turn_on_all() -> None:
    """Turn on, for all visitors of this process, what this version of Streamlit allows; call it once.

    Raises SettingError if a name is missing without which the lab cannot serve.
    """
    for reliance in RELIANCES:
        if is_on(reliance) and reliance.begins:
            pkgutil.resolve_name(f"{__package__}.{reliance.begins}")()


@cache
def is_on(reliance: Reliance) -> bool:
    """Return whether all names of a reliance are there; the log says once what is missing.

    Raises SettingError if something is missing without which the lab cannot serve.
    """
    missing = [name for name in reliance.names if not is_there(name)]
    if not missing:
        return True
    found = f"Streamlit {streamlit.__version__} has no {', no '.join(missing)}"
    if not reliance.without:
        raise SettingError(
            f"the lab cannot serve without this: {reliance.what}. {found}. Install the version of"
            " Streamlit that requirements.txt names"
        )
    _LOG.warning("%s: this is off, so %s. %s.", reliance.what, reliance.without, found)
    return False


def is_there(name: str) -> bool:
    """Return whether this version of Streamlit has something, with these parameters if they are named.

    Examples
    --------
    >>> is_there("streamlit.runtime:exists()"), is_there("streamlit.runtime:exists(who)")
    (True, False)
    >>> is_there("static/manifest.json"), is_there("part Slider"), is_there("part Slide")
    (True, True, False)
    """
    kind, _, rest = name.partition(" ")
    if kind == "part":
        return any(key == rest or key.endswith(f"/{rest}.tsx") for key in manifest())
    if name.startswith("static/"):
        return any(STATIC.glob(name.removeprefix("static/")))
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"a name must be written as module:path(parameters), not {name!r}")
    try:
        found: Any = importlib.import_module(match["module"])
    except ImportError:
        return False
    for part in (match["path"] or "").split("."):
        if not (hasattr(found, part) or part in _set_on_instances(found)):
            return False
        found = getattr(found, part, None)
    return match["parameters"] is None or _parameters(found) == match["parameters"]


def _set_on_instances(owner: Any) -> Iterator[str]:
    """Yield the names that a class declares, or that its constructors assign."""
    for base in getattr(owner, "__mro__", ()):
        yield from getattr(base, "__annotations__", ())
        constructor = getattr(base.__dict__.get("__init__"), "__code__", None)
        if constructor is not None:
            yield from constructor.co_names


def _parameters(function: Any) -> str:
    return ", ".join(inspect.signature(function).parameters)


@cache
def manifest() -> dict[str, Any]:
    """Return which file holds which part of Streamlit's front end, and what each imports."""
    path = STATIC / "manifest.json"
    known: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return known
