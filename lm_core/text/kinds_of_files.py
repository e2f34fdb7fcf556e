"""What a file is that is no plain text, by how it begins: one list for all that read texts, tables and vectors."""

from typing import NamedTuple

from lm_core.errors import TextError

SAVE_AS_TEXT = "Save it as plain text (.txt, UTF-8) and try again."
SAVE_AS_TABLE = (
    "Open it in a spreadsheet, save it as CSV or as an Excel workbook (.xlsx), and try again."
)
_LFS = "a note of Git LFS that says where a file lies, not the file"
_PICKLE = "a pickle of Python, which can run any code when it is opened"
_BEGINNINGS = {
    b"%PDF-": "a PDF document",
    b"%!PS": "a PostScript document",
    b"PK\x03\x04": "a ZIP archive",
    b"\xd0\xcf\x11\xe0": "an older Word or Office document",
    b"{\\rtf": "a rich text (RTF) document",
    b"bplist00": "a property list of macOS, such as a web archive of Safari",
    b"\x00\x05\x16\x07": "a file in which macOS notes things about another, whose name begins without ._",
    b"\x89PNG": "a PNG picture",
    b"\xff\xd8\xff": "a JPEG picture",
    b"GIF8": "a GIF picture",
    b"RIFF": "a picture, a sound or a film (RIFF)",
    b"ID3": "a sound (MP3)",
    b"OggS": "a sound (Ogg)",
    b"\x1f\x8b": "a gzip archive",
    b"7z\xbc\xaf": "a 7z archive",
    b"Rar!": "a RAR archive",
    b"\xfd7zXZ": "an xz archive",
    b"BZh": "a bzip2 archive",
    b"\x28\xb5\x2f\xfd": "a Zstandard archive",
    b"SQLite format 3": "an SQLite database",
    b"PAR1": "a Parquet table",
    b"\x89HDF": "an HDF5 file",
    b"\x93NUMPY": "an array of numpy",
    b"GGUF": "a model in the format GGUF",
    b"\x80\x02": _PICKLE,
    b"\x80\x03": _PICKLE,
    b"\x80\x04": _PICKLE,
    b"\x80\x05": _PICKLE,
    b"\x7fELF": "a program",
    b"MZ\x90\x00": "a program",
    b"version https://git-lfs": _LFS,
}
_INSIDE_ZIP = {
    b"word/": "a Word (DOCX) document",
    b"xl/": "an Excel (XLSX) workbook",
    b"ppt/": "a PowerPoint (PPTX) document",
    b"application/epub+zip": "an EPUB book",
    b"opendocument.spreadsheet": "an OpenDocument spreadsheet (ODS)",
    b"opendocument.presentation": "an OpenDocument presentation (ODP)",
    b"opendocument": "an OpenDocument text (ODT)",
    b"Index/Document.iwa": "a document of Apple's Pages, Numbers or Keynote",
    b"data.pkl": "a file of PyTorch, pickled, which can run any code when it is opened",
    b".npy": "an archive of numpy (NPZ)",
}
"""Names of parts, or what the part *mimetype* says; the first that is found counts."""

_PAGE_BEGINNINGS = (b"<!doctype html", b"<html", b"<pre", b"<table", b"<?xml", b"<svg")


class _At(NamedTuple):
    """What some bytes say that do not stand at the beginning."""

    place: int
    bytes: bytes
    what: str


_LATER = (
    _At(4, b"ftyp", "a film or a picture (MP4, HEIC)"),
    _At(60, b"BOOKMOBI", "a book for Kindles (MOBI)"),
    _At(8, b'{"', "a file of weights (safetensors)"),
)


def what_a_file_is(content: bytes) -> str:
    """Return what a file is that is no plain text; empty where it may be one.

    Examples
    --------
    >>> what_a_file_is(b"%PDF-1.7"), what_a_file_is(b"Call me Ishmael.")
    ('a PDF document', '')
    """
    bare = content.removeprefix(b"\xef\xbb\xbf")
    for beginning, what in _BEGINNINGS.items():
        if bare.startswith(beginning):
            if not beginning.startswith(b"PK"):
                return what
            return next((name for part, name in _INSIDE_ZIP.items() if part in content), what)
    for at in _LATER:
        if content.startswith(at.bytes, at.place) and b"\0" in content[: at.place]:
            return at.what
    return ""


def is_marked_up(content: bytes) -> bool:
    r"""Return whether a file is the source of a web page, or XML.

    Examples
    --------
    >>> is_marked_up(b"\n<!DOCTYPE html>"), is_marked_up(b"<3 forever")
    (True, False)
    """
    return content.removeprefix(b"\xef\xbb\xbf").lstrip()[:20].lower().startswith(_PAGE_BEGINNINGS)


def require_plain(content: bytes, save_as: str = SAVE_AS_TEXT) -> None:
    """Refuse a file that is known to be no plain text.

    `save_as`: str, what to do.

    Raises
    ------
    TextError
    """
    if what := what_a_file_is(content):
        raise TextError(f"this is {what}, not a plain text. {save_as}")
