"""Where this server's rooms are."""

from lm_core.classroom import database, rooms
from pages.shared.rooms.store import _opened, store


def test_the_rooms_are_in_the_database_that_the_settings_name(monkeypatch, tmp_path):
    """With the password from its file, where there is one."""
    monkeypatch.setattr(database, "Database", lambda url: url)
    monkeypatch.setattr(rooms, "Rooms", lambda opened: opened)
    monkeypatch.setenv("LM_LAB_HOME", str(tmp_path))
    _opened.cache_clear()
    assert store().rooms == f"sqlite:///{tmp_path / database.FILE_NAME}"
    (tmp_path / "password").write_text("secret")
    monkeypatch.setenv("LM_LAB_DATABASE", "postgresql+psycopg://lab@database/lab")
    monkeypatch.setenv("LM_LAB_DATABASE_PASSWORD_FILE", str(tmp_path / "password"))
    assert store().rooms == "postgresql+psycopg://lab:secret@database/lab"
    _opened.cache_clear()
