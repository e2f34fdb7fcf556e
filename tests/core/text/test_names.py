"""Names as a stream: what is predicted, and the split of the notebooks."""

import numpy as np
import pytest

from lm_core.errors import TextError
from lm_core.text.catalogue import NAMES
from lm_core.text.corpora import locate
from lm_core.text.names import encode_name, load_names, name_stream, split_names


@pytest.mark.parametrize("context_size", [0, 1, 2, 5])
def test_each_letter_and_one_end_a_name_is_predicted_after_its_own_letters_only(context_size):
    names = ["emma", "bo"]
    ids, is_predicted = name_stream(names, context_size)
    assert is_predicted.sum() == sum(len(name) + 1 for name in names)
    predicted = np.flatnonzero(is_predicted)
    assert predicted.min() >= context_size
    starts = predicted[[0, 5]]
    for start in starts:
        assert not ids[start - context_size : start].any()
    assert ids[predicted].tolist() == [5, 13, 13, 1, 0, 2, 15, 0]


@pytest.mark.parametrize("name", ["Emma", "é", "a b", "x1"])
def test_a_name_of_other_letters_is_an_error(name):
    with pytest.raises(TextError):
        encode_name(name)


@pytest.mark.skipif(not locate(NAMES.name), reason="the names are not on this machine")
def test_the_split_is_that_of_the_notebooks():
    split = split_names(load_names())
    assert tuple(map(len, split)) == (25_626, 3_203, 3_204)
    # The notebooks print the number of examples of each part: a letter or an end each.
    assert [sum(len(name) + 1 for name in part) for part in split] == [182_625, 22_655, 22_866]
