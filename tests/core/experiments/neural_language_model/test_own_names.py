"""A visitor's own list of names: what is read of it, and what Bengio's model learns from it."""

import math

import pytest

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model import own_names
from lm_core.experiments.neural_language_model.names import sample_names
from lm_core.rng import generator
from lm_core.text.names import END

RUSSIAN = "Анна Борис Вера Глеб Дарья Егор Жанна Захар Инна Кирилл Лев Мария Нина Олег Пётр Раиса Семён Таня Ульяна Фёдор Юлия"  # noqa: RUF001


@pytest.mark.parametrize(
    ("written", "how"),
    [
        (RUSSIAN.replace(" ", "\n"), "one a line"),
        (RUSSIAN.replace(" ", ", "), "parted by commas or the like"),
        (
            "\n".join(f'"{name}";ж;{i}' for i, name in enumerate(RUSSIAN.split())),
            "the first cell of each line",
        ),
        ("\n".join(f"{i}. {name}" for i, name in enumerate(RUSSIAN.split(), 1)), "one a line"),
    ],
    ids=["lines", "commas", "table", "numbered"],
)
def test_names_are_read_however_they_are_listed(written, how):
    own = own_names.read_names(written)
    assert own.names == tuple(RUSSIAN.lower().split())
    assert own.symbols[0] == END
    assert set(own.symbols[1:]) == set(RUSSIAN.lower()) - {" "}
    assert how in own.read.facts
    assert own.read.preview[1] == ("анна", "4")


def test_what_is_no_name_and_what_comes_twice_is_named():
    own = own_names.read_names(
        f"{own_names.RIVERS}\nRhein\nrhein\nR2D2\nx\nRio de la Plata\nO’Neill"
    )
    said = " ".join(own.read.notes)
    assert "2 are the same as one before, and left out; the first is “rhein”." in said
    assert (
        "2 are no names of 2 to 20 letters, and left out; the first that is none is “R2D2” in line 109."
        in said
    )
    assert {"rio de la plata", "o'neill"} <= {*own.names}


def test_too_few_and_too_many_different_letters_are_refused_in_words():
    with pytest.raises(
        TextError,
        match=f"has {own_names.FEWEST_NAMES} to 5,000 different names, one a line, this one has 2",
    ):
        own_names.read_names("Anna\nBen")
    many = "\n".join(chr(0x4E00 + i) + chr(0x4E80 + i) for i in range(60))
    with pytest.raises(
        TextError, match=f"at most {own_names.MOST_SYMBOLS - 1} different letters, these have 120"
    ):
        own_names.read_names(many)


def test_the_network_learns_the_list_and_not_what_is_held_out():
    own = own_names.read_names(own_names.RIVERS)
    learned, held_out = own.parts
    assert {*learned} | {*held_out} == {*own.names}
    assert not {*learned} & {*held_out}
    assert len(held_out) == 11
    short, long = (own_names.learn_names(own, n, 1) for n in (1, 5))
    even = math.log2(len(own.symbols))
    assert long.train_bits < short.train_bits < short.held_out_bits < long.held_out_bits < even
    assert (short.held_out_bits, long.held_out_bits) == (
        pytest.approx(3.65, abs=0.02),
        pytest.approx(4.57, abs=0.02),
    )
    for found, temperature, n in ((short, 1.0, 0), (long, 1.0, 8)):
        made_up = sample_names(found.model, 12, generator(1), temperature, own.symbols)
        assert sum(name in own.names for name in made_up) == n


def test_a_network_that_makes_up_one_name_alone_ends():
    own = own_names.read_names(own_names.RIVERS)
    found = own_names.learn_names(own, 5, 1)
    assert 1 <= len(sample_names(found.model, 5_000, generator(1), 0.01, own.symbols)) < 5_000
