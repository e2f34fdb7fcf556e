"""A visitor's own text, uploaded or pasted: read as it is, or refused with the reason.

Bytes do not say which encoding they are in. What can be known is used first: a byte order mark
names the encoding, and bytes that are valid UTF-8 are practically never anything else, since each
accented letter must follow its strict pattern. What is left is taken for Windows-1252, the usual
encoding of older Western texts, if it makes sense as such: every byte must be defined in it, and
most letters must be plain ones; Polish and Czech, whose letters turn into symbols within words there or
have no letter at all, are read as Windows-1250. UTF-16 without a mark is known by its zeros, every other
byte of plain letters. Turkish, Czech and Hungarian have letters there that only other languages have,
without the other letters of these, and are read in their own encodings. Russian or Greek in a one-byte encoding turns into accented letters
throughout there, and is refused with the remedy. Romanian, Croatian, Slovene, Lithuanian and Latvian are
known by their letters, too. The encoding is reported, whatever it was.
"""

import hashlib
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from lm_core.errors import TextError
from lm_core.text.doubts import (
    doubts_about,
    doubts_about_letters,
    symbols_in_words,
    without_invisible,
)
from lm_core.text.file_limits import LIMITS
from lm_core.text.kinds_of_files import SAVE_AS_TEXT, require_plain

LARGEST_BYTES = LIMITS.text
"""Most bytes of a text that a visitor may hand in."""

SHORTEST = 2_500
"""Fewest characters that a text must have: the smallest preset cannot read less."""

ENCODINGS = {
    "utf-8": "UTF-8",
    "cp1252": "Windows-1252 (Western European)",
    "cp1250": "Windows-1250 (Polish, Czech, Hungarian)",
    "cp1251": "Windows-1251 (Russian, Bulgarian)",
    "cp1253": "Windows-1253 (Greek)",
    "cp1254": "Windows-1254 (Turkish)",
    "cp1255": "Windows-1255 (Hebrew)",
    "cp1256": "Windows-1256 (Arabic)",
    "cp1257": "Windows-1257 (Baltic)",
    "iso8859-2": "ISO 8859-2 (Central European)",
    "iso8859-15": "ISO 8859-15 (Western European, with €)",
    "koi8-r": "KOI8-R (Russian)",
    "mac-roman": "Mac OS Roman",
    "cp850": "DOS (Western European)",
    "cp866": "DOS (Russian)",
    "shift_jis": "Shift JIS (Japanese)",
    "euc-jp": "EUC-JP (Japanese)",
    "iso2022_jp": "ISO 2022-JP (Japanese)",
    "gb18030": "GB 18030 (Chinese)",
    "big5": "Big5 (Chinese, traditional)",
    "euc-kr": "EUC-KR (Korean)",
    "utf-16-le": "UTF-16 without a mark, little-endian",
    "utf-16-be": "UTF-16 without a mark, big-endian",
}
"""What a visitor may say that their file is in, by the name of the codec."""

_MARKS = {  # the longer ones first: UTF-32's begins with UTF-16's
    b"\xff\xfe\x00\x00": ("utf-32", "UTF-32"),
    b"\x00\x00\xfe\xff": ("utf-32", "UTF-32"),
    b"\xef\xbb\xbf": ("utf-8-sig", "UTF-8"),
    b"\xff\xfe": ("utf-16", "UTF-16"),
    b"\xfe\xff": ("utf-16", "UTF-16"),
}
_MOST_CONTROLS = 0.001  # share of control characters above which nobody typed the text
_MOST_ACCENTED = 0.3  # share of the letters; the most accented Western languages stay below 0.2
_MOST_ODD_WORDS = 3
_PREVIEWED = 80  # bytes of a line that shows what an encoding makes of it
_SAMPLED = 100_000  # bytes that are looked at for zeros
_OF_TWO_ROWS = 0.9  # share of the characters
_ODD_ENDS = re.compile("[a-z\xb3][\xb1\xb6\xa6\xac\xa1]")  # what Windows-1250 makes of ISO 8859-2
_MISREAD = (
    ("cp1257", "Windows-1257", ("[ðþ]", "[ëø]", "[àáèû]"), "[æóýíÆÓÝÍ]"),  # Lithuanian
    ("cp1257", "Windows-1257", ("â", "[çî]", "[ðþ]"), "[æóýéáüöÆÓÝÉÁÜÖ]"),  # Latvian
    ("cp1254", "Windows-1254", ("[ðýþ]",), "[áíæÁÍÆ]"),  # Turkish; Icelandic has the others, too
    (
        "cp1250",
        "Windows-1250",
        ("ø", "[ìùý\u0161\u017e]"),
        "[åæÅÆ]",
    ),  # Czech; Danish has the others
    ("cp1250", "Windows-1250", ("õ", "ö", "[áéó]"), "[ãÃ]"),  # Hungarian; Portuguese has no ö
    (
        "cp1250",
        "Windows-1250",
        ("ã", "º[a-zãîâ]|[a-zãîâ]º|[a-z]þ"),
        "[õçéóúáÕÇÉÓÚÁ]",
    ),  # Romanian; so has Portuguese
    (
        "cp1250",
        "Windows-1250",
        ("è", "[\u0161\u017e]"),
        "[àâäåçéêëìíîïñòóôõöùúûüý]",
    ),  # Croatian, Slovene
    ("iso8859-15", "ISO 8859-15", ("¤",), "[^\x00-\xff]"),  # nobody writes ¤; € lies in its place
)
"""Letters that Windows-1252 makes of another language's, and those of the languages that do write them."""
_SHIFTED = (b"\x1b$B", b"\x1b$@")
"""Begin Chinese characters in ISO 2022-JP, the encoding of Japanese e-mails."""
_END_OF_FILE = b"\x1a"  # of DOS, at the end of files of its programs
_WRONG_BYTE = re.compile("[\udc80-\udcff]")
_SCRIPTS = (
    ("cp1251", "Windows-1251", r"[\u0400-\u045f]"),
    ("cp1253", "Windows-1253", r"[\u0370-\u03ff]"),
)
"""Cyrillic and Greek."""
_LINE_BREAK = re.compile("\r\n?|[\v\f\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f]")


@dataclass(frozen=True)
class OwnText:
    """A visitor's text, ready for a vocabulary."""

    text: str
    r"""Lines end in ``\n``, accented letters are single characters (NFC), no control characters."""
    encoding: str
    """What the bytes were read as: ``UTF-8``, ``UTF-16``, ``UTF-32``, ``Windows-1252``, ``-1250`` or ``-1254``, UTF-16
    without a mark, the encoding asked for, or ``none`` for a text that was pasted."""
    changes: tuple[str, ...]
    """What was done to it, in sentences for the visitor."""
    sha256: str
    """Of `text` in UTF-8: the same words in another encoding are the same text."""
    doubts: tuple[str, ...] = ()
    """What looks wrong in it, in sentences for the visitor."""


def read_own_text(
    data: bytes | str,
    *,
    encoding: str | None = None,
    largest_bytes: int = LARGEST_BYTES,
    shortest: int = SHORTEST,
    drop_invisible: bool = False,
    save_as: str = SAVE_AS_TEXT,
    is_prose: bool = True,
) -> OwnText:
    """Make a training text of what a visitor uploaded or pasted.

    Raises TextError if it is too long or too short, empty, no text at all, or in an encoding that
    cannot be recognised. The message is for the visitor.

    Parameters
    ----------
    data : bytes or str, a file's content, or a pasted text
    encoding : str, optional
        Name of the bytes' encoding, such as ``cp1251`` for Russian; recognised unless given.
    largest_bytes : int, a pasted text counts as UTF-8
    shortest : int, characters
    drop_invisible : bool
        Leave out characters that cannot be seen, such as soft hyphens, and make all spaces plain.
    save_as : str, what to do with a file that is no plain text
    is_prose : bool, else only its letters may be doubted
    """
    if isinstance(data, str):
        content, raw, read_as = data.encode(errors="surrogatepass"), data.rstrip("\x1a"), "none"
        mixed: tuple[str, ...] = ()
        _require_size(content, largest_bytes)
    else:
        _require_size(data, largest_bytes)
        raw, read_as, *mixed_at = decoded(data, encoding, save_as)
        mixed = tuple(mixed_at)
    _refuse_control_characters(raw)
    text, changes = _tidied(raw)
    if drop_invisible and (seen := without_invisible(text)) != text:
        text, changes = (
            seen,
            (*changes, "characters that cannot be seen were left out or made plain spaces"),
        )
    if not text.strip():
        raise TextError("the text is empty: choose a file with words in it, or paste some")
    if len(text) < shortest:
        raise TextError(
            f"the text must have at least {shortest:,} characters to learn from, it has"
            f" {len(text):,}: add more of it, such as a whole chapter"
        )
    digest = hashlib.sha256(text.encode()).hexdigest()
    is_known = read_as == "none" or read_as.startswith("UTF")
    doubts = (doubts_about if is_prose else doubts_about_letters)(text, is_known=is_known)
    return OwnText(text, read_as, changes, digest, (*mixed, *doubts))


def encodings_of(content: bytes) -> dict[str, str]:
    """Return how a file begins in each of `ENCODINGS` that it may be in; nothing where it is known.

    Known are UTF-8 and what a byte order mark names. What is shown begins with the line of the first
    letter that is not plain, because all the others are alike.
    """
    if _marked_encoding(content) is not None or (b"\0" not in content and _is_utf_8(content)):
        return {}
    first = next((i for i, byte in enumerate(content) if byte > 127), 0)
    line = content[content.rfind(b"\n", 0, first) + 1 :][:_PREVIEWED].partition(b"\n")[0]
    wide = content[: 2 * _PREVIEWED]
    previews = {}
    for codec in ENCODINGS:
        shown = (wide if codec.startswith("utf-16") else line).decode(codec, "replace")
        if shown[:-2].isprintable() and "\ufffd" not in shown[:-2]:
            previews[codec] = shown[: _PREVIEWED // 2].strip()
    return previews


def _is_utf_8(content: bytes) -> bool:
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def normalise_own(text: str) -> str:
    r"""Reduce a raw text as `read_own_text` does.

    Examples
    --------
    >>> normalise_own("a\r\nb\x00e\N{COMBINING ACUTE ACCENT}")
    'a\nbé'
    """
    return _tidied(text)[0]


def _require_size(content: bytes, largest_bytes: int) -> None:
    if len(content) > largest_bytes:
        raise TextError(
            f"the text may have at most {largest_bytes / 1e6:g} MB, it has"
            f" {len(content) / 1e6:.1f} MB: use a part of it"
        )


def decoded(
    content: bytes, encoding: str | None = None, save_as: str = SAVE_AS_TEXT
) -> tuple[str, ...]:
    """Return the text of some bytes, the name of what they were read as, and what is wrong with that.

    `encoding`, `save_as`: str, as for `read_own_text`.

    Raises
    ------
    TextError
        If it is no text, or in an encoding that cannot be recognised.
    """
    require_plain(content, save_as)
    content = content.rstrip(_END_OF_FILE)
    named = (encoding, ENCODINGS.get(encoding, encoding)) if encoding else _marked_encoding(content)
    if named is None and b"\0" in content:
        named = _unmarked_utf_16(content)
        if named is None:
            raise TextError(f"this holds zero bytes, so it is no plain text. {save_as}")
    codec, name = named or ("utf-8", "UTF-8")
    try:
        return content.decode(codec), encoding or name
    except LookupError as error:
        raise TextError(f"{encoding!r} is not the name of an encoding") from error
    except UnicodeDecodeError as error:
        if named:
            number = content.decode(codec, "ignore").count("\n") + 1
            where = (
                f"it ends within a character, in line {number:,}"
                if error.end >= len(content)
                else f"byte {error.start + 1:,} of {len(content):,} is none of it"
            )
            raise TextError(f"this is no valid text in {name}: {where}. {save_as}") from error
        return _as_mixed(content) or _as_one_byte(content)


def _as_mixed(content: bytes) -> tuple[str, ...] | None:
    """Return a text in UTF-8 some of whose letters are in another encoding, and where the first of these is."""
    escaped = content.decode(errors="surrogateescape")
    n_wrong = len(_WRONG_BYTE.findall(escaped))
    right = re.findall("[^\x00-\x7f\udc80-\udcff]", escaped)
    if 2 * len(right) < n_wrong:  # a text in Chinese characters of two bytes has some by chance
        return None
    codec, name = _of_wrong_bytes(escaped, "".join(right))
    text = _WRONG_BYTE.sub(lambda b: bytes([ord(b[0]) & 0xFF]).decode(codec, "replace"), escaped)
    place = _WRONG_BYTE.search(escaped)
    start = place.start() if place else 0
    around = " ".join(text[max(0, start - 12) : start + 12].split())
    are = (
        "the only letter that is" if n_wrong == 1 else f"the first of {n_wrong:,} letters that are"
    )
    return (
        text,
        f"UTF-8 with parts in {name}",
        f"The file mixes two encodings: line {text.count(chr(10), 0, start) + 1:,} has {are} not in UTF-8,"
        f" at “{around}”. {'It was' if n_wrong == 1 else 'They were'} read as {name}.",
    )


def _of_wrong_bytes(escaped: str, right: str) -> tuple[str, str]:
    """Return codec and name of what the bytes are in that are not UTF-8, by the script of the other letters and by theirs."""
    for codec, name, letters in _SCRIPTS:
        if 2 * len(re.findall(letters, right)) > len(right):
            return codec, name
    lines = "\n".join(line for line in escaped.split("\n") if _WRONG_BYTE.search(line))
    bare = b"".join(
        bytes([ord(c) & 0xFF]) if _WRONG_BYTE.match(c) else c.encode()
        for c in lines
        if c.isascii() or _WRONG_BYTE.match(c)
    )
    try:
        _, name = _as_one_byte(bare)
    except TextError:
        name = "Windows-1252"
    return next(codec for codec, known in ENCODINGS.items() if known.split(" (")[0] == name), name


def _unmarked_utf_16(content: bytes) -> tuple[str, str] | None:
    """Return codec and name of a text in UTF-16 without a mark: all its zeros are at odd places, or at even ones."""
    sample = content[:_SAMPLED]
    zeros = {place % 2 for place, byte in enumerate(sample) if not byte}
    if len(zeros) != 1 or len(content) % 2:
        return None
    # A text has one script and spaces, so two upper bytes are enough for nearly all of its characters.
    upper = Counter(sample[max(zeros) :: 2]).most_common(2)
    if sum(n for _, n in upper) < _OF_TWO_ROWS * len(sample) / 2:
        return None
    codec = "utf-16-le" if zeros == {1} else "utf-16-be"
    try:
        text = content.decode(codec)
    except UnicodeDecodeError:
        return None
    return None if _CONTROL.search(text) else (codec, ENCODINGS[codec])


def _as_one_byte(content: bytes) -> tuple[str, str]:
    """Return a text in Windows-1252, or in Windows-1250 or 1254 where only that makes plain words of it."""
    other = content.decode("cp1250", "replace")
    is_plain = "\ufffd" not in other and not symbols_in_words(other)
    try:
        text = _as_windows_1252(content)
    except TextError:
        if is_plain and not _is_mostly_accented(other):
            return other, "Windows-1250"
        raise
    if is_plain and symbols_in_words(text) >= min(_MOST_ODD_WORDS, _many_of(text)):
        iso = content.decode("iso8859-2")
        if len(_ODD_ENDS.findall(other)) >= _MOST_ODD_WORDS and not _CONTROL.search(iso):
            return iso, "ISO 8859-2"
        return other, "Windows-1250"
    for codec, name, needed, foreign in _MISREAD:
        is_met = all(len(re.findall(letters, text)) >= _MOST_ODD_WORDS for letters in needed)
        if is_met and not re.search(foreign, text):
            return content.decode(codec, "replace"), name
    return text, "Windows-1252"


def _many_of(text: str) -> int:
    """Return how many words with a symbol are many in a text that has few accented ones: two, or a quarter of these."""
    return max(2, len(re.findall(r"\w*[^\W\x00-\x7f]\w*", text)) // 4)


def _marked_encoding(content: bytes) -> tuple[str, str] | None:
    if any(shift in content for shift in _SHIFTED):
        return "iso2022_jp", ENCODINGS["iso2022_jp"]
    marks = (names for mark, names in _MARKS.items() if content.startswith(mark))
    return next(marks, None)


def _as_windows_1252(content: bytes) -> str:
    unknown = (
        "the encoding of this text could not be recognised: it is neither UTF-8 nor Windows-1252."
        " Choose its encoding where that is offered, or save it as UTF-8 and try again."
    )
    try:
        text = content.decode("cp1252")
    except UnicodeDecodeError as error:
        raise TextError(unknown) from error
    if _is_mostly_accented(text):
        raise TextError(unknown)
    return text


def _is_mostly_accented(text: str) -> bool:
    letters = [character for character in text if character.isalpha()]
    return sum(not letter.isascii() for letter in letters) > _MOST_ACCENTED * len(letters)


def _refuse_control_characters(text: str) -> None:
    n_controls = len(_CONTROL.findall(text))
    if "\0" in text or n_controls > _MOST_CONTROLS * len(text):
        raise TextError(
            f"this holds {n_controls:,} control characters, so it is no plain text. {SAVE_AS_TEXT}"
        )
    if re.search("[\ud800-\udfff]", text):
        raise TextError(f"this holds halves of characters (surrogates). {SAVE_AS_TEXT}")


def _tidied(raw: str) -> tuple[str, tuple[str, ...]]:
    """Return a text with plain line breaks, in NFC and without control characters, and what was done."""
    steps = (
        ("the byte order mark was left out", lambda text: text.removeprefix("\ufeff")),
        ("line breaks were made alike", lambda text: _LINE_BREAK.sub("\n", text)),
        ("control characters were left out", lambda text: _CONTROL.sub("", text)),
        (
            "letters and their accents were joined (NFC)",
            lambda text: unicodedata.normalize("NFC", text),
        ),
    )
    changes = []
    for sentence, step in steps:
        before, raw = raw, step(raw)
        if raw != before:
            changes.append(sentence)
    return raw, tuple(changes)
