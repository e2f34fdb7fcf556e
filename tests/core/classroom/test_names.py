import random

import pytest

from lm_core.classroom import names
from lm_core.errors import RoomError


def test_codes_have_four_letters_and_passcodes_eight_that_no_one_mistakes():
    codes, passcodes = ({make() for _ in range(200)} for make in (names.room_code, names.passcode))
    assert {len(code) for code in codes} == {4}
    assert {len(code) for code in passcodes} == {8}
    assert set("".join(codes | passcodes)) == set(names.CODE_LETTERS)
    assert not set("AEIOUYGQF0123456789") & set(names.CODE_LETTERS)
    assert len(passcodes) == 200


@pytest.mark.parametrize("written", ["krtp", " KR TP ", "kr-tp\n", "K.R.T.P", "\x00krtp"])
def test_a_code_is_read_however_it_was_typed(written):
    assert names.plain_code(written) == "KRTP"


def test_a_code_of_10_kilobytes_is_read_at_its_beginning_only():
    assert names.plain_code("K" * 10_000) == "K" * 40


def test_an_alias_is_nobody_elses_whatever_its_capitals():
    rng, taken = random.Random(0), []
    for _ in range(600):  # more than there are animals and coloured animals
        alias = names.free_alias([name.upper() for name in taken], rng)
        assert alias not in taken
        assert len(alias) <= names.LONGEST_ALIAS
        taken.append(alias)
    assert all(" " not in alias for alias in taken[:30])
    assert taken[-1].split()[-1].isdigit()


@pytest.mark.parametrize(
    "copy",
    [
        "Ha\u034fre",
        "Hare\ufe0f",
        "H\u0430re",
        "\u0397are",
        "\uff28\uff41\uff52\uff45",
        "HARE",
        "H a r e",
        "Har\u200be",
    ],
)
def test_a_copy_of_a_name_looks_like_it(copy):
    assert names.look_of(names.plain_alias(copy)) == names.look_of("Hare")


@pytest.mark.parametrize(
    ("one", "other"), [("Muller", "Müller"), ("Otter 2", "Otter 3"), ("王", "玉")]
)
def test_names_that_anybody_tells_apart_do_not_look_the_same(one, other):
    assert names.look_of(one) != names.look_of(other)


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u115f", "\u200b", "\U000e0041"])
def test_a_name_that_cannot_be_seen_is_none(name):
    with pytest.raises(RoomError, match="visible characters"):
        names.plain_alias(name)


IGNORABLE = """
00AD 034F 061C 115F..1160 17B4..17B5 180B..180F 200B..200F 202A..202E 2060..206F 3164 FE00..FE0F FEFF FFA0
FFF0..FFF8 1BCA0..1BCA3 1D173..1D17A E0000..E0FFF
"""
"""Default_Ignorable_Code_Point of Unicode 16, DerivedCoreProperties.txt."""


def test_a_name_is_without_what_unicode_lets_nobody_see_and_with_all_else():
    ranges = [[int(code, 16) for code in ends.split("..")] for ends in IGNORABLE.split()]
    unseen = {code for ends in ranges for code in range(ends[0], ends[-1] + 1)}
    assert {names.plain_alias(f"h{chr(code)}e") for code in unseen} == {"he"}
    beside = {code for ends in ranges for code in (ends[0] - 1, ends[-1] + 1)} - unseen
    letters = [chr(code) for code in beside if chr(code).isalnum()]
    assert len(letters) >= 9
    assert "he" not in {names.plain_alias(f"h{letter}e") for letter in letters}


@pytest.mark.parametrize(
    "name", ["Teacher", "TEACHER", "my teacher", "Te\u0430cher", "Teache\u200br"]
)
def test_nobody_is_called_as_who_presents(name):
    with pytest.raises(RoomError, match="kept for who presents"):
        names.plain_alias(name)


def test_no_letter_has_more_than_two_marks():
    assert names.plain_alias("e" + 9 * "\u0301" + "x") == "\u00e9\u0301\u0301x"
