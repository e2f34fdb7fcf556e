"""The lab's fonts hold what its texts use; what they lack, `python -m tests.make_fonts` brings."""

import string

import pytest
from fontTools.ttLib import TTFont

from pages.shared.server.fonts import FACES, FOLDER, files, held, style_sheet, unicode_range
from tests.make_fonts import NOT_IN_THE_FONT, icon_glyphs, icons_used, letters_used, original

LETTERS = [face for face in FACES if not face.holds_icons]
(ICONS,) = (face for face in FACES if face.holds_icons)
AGAIN = "run `python -m tests.make_fonts`, and commit assets/fonts"
MOST_BYTES = 200_000


def test_every_icon_that_is_named_is_there():
    missing = icons_used() - set(held()[ICONS.file].icons) - NOT_IN_THE_FONT
    assert not missing, AGAIN


@pytest.mark.parametrize("face", LETTERS, ids=lambda face: face.file)
def test_every_letter_of_the_texts_is_there(face):
    """Of those that Streamlit's font has: for the others the browser takes another font anyway."""
    whole = {chr(code) for code in original(face).getBestCmap()}
    assert not (letters_used() & whole) - set("".join(held()[face.file].letters.values())), AGAIN


@pytest.mark.parametrize("face", LETTERS, ids=lambda face: face.file)
def test_a_font_holds_the_letters_that_are_told_of_it(face):
    for file, letters in held()[face.file].letters.items():
        assert set(letters) <= {chr(code) for code in TTFont(FOLDER / file).getBestCmap()}, file


@pytest.mark.parametrize("face", LETTERS, ids=lambda face: face.file)
def test_each_letter_is_in_one_file_and_what_most_pages_show_in_the_first(face):
    letters = held()[face.file].letters
    assert len(set("".join(letters.values()))) == sum(map(len, letters.values()))
    assert next(iter(letters)) == face.file
    first = set(letters[face.file])
    assert set(string.printable.strip()) <= first
    assert not first & set("éüπ√ж"), "they are for the files that fewer pages need"


def test_the_icons_font_draws_the_icons_that_are_told_of_it_as_streamlits_does():
    cut, whole = TTFont(FOLDER / ICONS.file), original(ICONS)
    own, theirs = icon_glyphs(cut), icon_glyphs(whole)
    for icon in held()[ICONS.file].icons:
        drawn = cut["glyf"][own[icon]].getCoordinates(cut["glyf"])
        assert drawn == whole["glyf"][theirs[icon]].getCoordinates(whole["glyf"]), icon


def test_together_they_are_small():
    assert sum((FOLDER / file).stat().st_size for file in files()) <= MOST_BYTES


@pytest.mark.parametrize("face", LETTERS, ids=lambda face: face.file)
def test_streamlits_font_is_left_what_it_has_beside_ours_and_nothing_that_neither_has(face):
    known = held()[face.file]
    whole = {chr(code) for code in original(face).getBestCmap()}
    assert set(known.others) == whole - set("".join(known.letters.values())), AGAIN


def test_each_face_is_declared_for_its_letters_and_streamlits_for_the_others():
    sheet = style_sheet({file: file for file in files()}, {f.file: f.original for f in FACES})
    rules = sheet.split("@font-face")[1:]
    for face in LETTERS:
        found = held()[face.file]
        for address, letters in {**found.letters, face.original: found.others}.items():
            (rule,) = (rule for rule in rules if f"url({address})" in rule)
            assert unicode_range(letters) in rule
    (icons,) = (rule for rule in rules if ICONS.family in rule)
    assert "unicode-range" not in icons
