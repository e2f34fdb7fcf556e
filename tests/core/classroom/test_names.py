import random

import pytest

from lm_core.classroom.names import (
    CODE_LETTERS,
    LONGEST_ALIAS,
    free_alias,
    passcode,
    plain_code,
    room_code,
)


def test_codes_have_four_letters_and_passcodes_eight_that_no_one_mistakes():
    codes, passcodes = ({make() for _ in range(200)} for make in (room_code, passcode))
    assert {len(code) for code in codes} == {4}
    assert {len(code) for code in passcodes} == {8}
    assert set("".join(codes | passcodes)) == set(CODE_LETTERS)
    assert not set("AEIOUYGQF0123456789") & set(CODE_LETTERS)
    assert len(passcodes) == 200


@pytest.mark.parametrize("written", ["krtp", " KR TP ", "kr-tp\n", "K.R.T.P", "\x00krtp"])
def test_a_code_is_read_however_it_was_typed(written):
    assert plain_code(written) == "KRTP"


def test_a_code_of_10_kilobytes_is_read_at_its_beginning_only():
    assert plain_code("K" * 10_000) == "K" * 40


def test_an_alias_is_nobody_elses_whatever_its_capitals():
    rng, taken = random.Random(0), []
    for _ in range(600):  # more than there are animals and coloured animals
        alias = free_alias([name.upper() for name in taken], rng)
        assert alias not in taken
        assert len(alias) <= LONGEST_ALIAS
        taken.append(alias)
    assert all(" " not in alias for alias in taken[:30])
    assert taken[-1].split()[-1].isdigit()
