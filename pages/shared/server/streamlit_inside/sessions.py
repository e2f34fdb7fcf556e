"""The pages that are open or were closed a moment ago, and the files that they hold."""

from pages.shared.server.streamlit_inside.reliances import CLOSED_PAGES, is_on


def uploads_held() -> dict[str, int]:
    """Return the bytes of the uploaded files that this process holds, by session, if that can be told."""
    if not is_on(CLOSED_PAGES):
        return {}
    from streamlit import runtime
    from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager

    manager = runtime.get_instance().uploaded_file_mgr
    if not isinstance(manager, MemoryUploadedFileManager):
        return {}
    with manager._lock:
        return {
            session: sum(len(file.data) for file in files.values())
            for session, files in manager.file_storage.items()
        }


def forget_closed_sessions() -> None:
    """Let go of the sessions, and their files, whose pages were closed longer ago than they are kept.

    Streamlit itself does so only when another page is closed, and the garbage collector comes by.
    """
    if not is_on(CLOSED_PAGES):
        return
    from streamlit import runtime

    manager = runtime.get_instance()._session_mgr
    for _, closed in manager._session_storage._cache.expire():  # type: ignore[attr-defined]
        closed.session.shutdown()
    known = {kept.session.id for kept in manager.list_sessions()}
    for session in uploads_held().keys() - known:
        runtime.get_instance().uploaded_file_mgr.remove_session_files(session)
