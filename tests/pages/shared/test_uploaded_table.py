"""A visitor's own table: read whatever separates it, or refused with the reason."""

import pytest

from lm_core.errors import TextError
from pages.shared.clustering.uploaded_table import LARGEST_BYTES, MOST_ROWS, read_table
from tests.pages.visits import numbers


def counted(table):
    """The numbers in each note on rows that were left out."""
    return [numbers(note) for note in table.notes if " left out: " in note or "Only" in note]


@pytest.mark.parametrize(
    "text",
    [
        "x,y,kind\n1.5,2,a\n3,4,b\n",
        "x;y;kind\n1,5;2;a\n3;4;b\n",
        "x\ty\tkind\r\n1.5\t2\ta\r\n3\t4\tb",
        b"\xef\xbb\xbfx,y,kind\n1.5,2,a\n\n3,4,b\n",
    ],
)
def test_a_table_is_read_whatever_separates_it(text):
    table = read_table(text)
    assert table.names == ("x", "y")
    assert table.values.tolist() == [[1.5, 2.0], [3.0, 4.0]]
    assert table.labels == {"kind": ("a", "b")}
    assert table.label_name == "", "its name says nothing"
    assert table.coordinates == table.names
    (note,) = table.notes
    assert "“kind” is no coordinate: it holds words" in note


def test_a_table_without_names_numbers_its_columns_and_repeated_names_are_told_apart():
    assert read_table("1,2\n3,4").names == ("column 1", "column 2")
    assert read_table("a,a,b\n1,2,3").names == ("a (1)", "a (2)", "b")


def test_the_widest_table_is_read():
    assert read_table(",".join(["1"] * 50)).values.shape == (1, 50)


def test_what_is_left_out_is_said():
    table = read_table("x,y\n1,2\n3,\n4,5,6\n7,inf\n8,9\n10,11")
    assert table.values.tolist() == [[1.0, 2.0], [8.0, 9.0], [10.0, 11.0]]
    assert counted(table) == [[1, 2, 4, 4, 5, 6], [2]]
    assert "In “y” 1 cell is no number; the first is “inf”, in line 5." in table.notes
    long = read_table("\n".join(f"{i},{i}" for i in range(MOST_ROWS + 5)))
    assert len(long.values) == MOST_ROWS
    assert counted(long)[0] == [MOST_ROWS, MOST_ROWS + 5]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("", "the text is empty"),
        ("🙂🙂🙂", "but no line of numbers under it"),
        ("x,y\n", "no line of numbers under it"),
        ("a,b\nc,d\n", "no column of this table holds numbers"),
        ("x,y\n1,\n,2\n", "every line of this table lacks a number"),
        (",".join(["1"] * 51), "at most 50 columns are read, this table has 51"),
        ("1," * 600_000, "may have at most 1 MB"),
        (b"PK\x03\x04rest", "not a plain text"),
        ('"' + "1" * 200_000, "no table of separated values"),
    ],
)
def test_what_is_no_table_is_refused_with_the_reason(data, message):
    with pytest.raises(TextError, match=message):
        read_table(data)


def test_rows_that_are_the_same_are_counted_and_each_is_kept():
    read = read_table("x,y,who\n1,2,a\n3,4,b\n1,2,c\n1,2,a\n3,4,b\n").read
    assert read.notes[0] == (
        "2 rows are the same as one before, and each counts as a point of its own; the first is line 5, like line 2."
    )
    table = read_table("x,y\n1,2\n3,4\n1,2\n")
    assert len(table.values) == 3
    assert (
        "1 row is the same as one before, and counts as a point of its own: line 4, like line 2."
        in table.notes
    )
    assert not any("the same" in note for note in read_table("x,y\n1,2\n3,4\n").notes)


def test_a_cell_without_a_finite_number_is_missing():
    table = read_table("x;y\n1,5;2\nNA;1\n-;1\n?;3\n1e999;4\n-inf;4\n1e31;4\n4;5\n" + "7;8\n" * 9)
    assert table.names == ("x", "y")
    assert table.values.tolist() == [[1.5, 2.0], [4.0, 5.0], *[[7.0, 8.0]] * 9]
    assert table.notes[0].startswith("2 numbers beyond ±10³⁰")
    assert counted(table) == [[6]]


def test_columns_of_at_most_ten_words_may_hold_the_true_groups_and_a_name_says_which_does():
    rows = [f"{i},{'ab'[i % 2]},{'xyz'[i % 3]},word {i}" for i in range(11)]
    table = read_table("n,first,second,third\n" + "\n".join(rows))
    assert list(table.labels) == ["first", "second"]
    assert table.labels["second"] == tuple("xyz"[i % 3] for i in range(11))
    assert table.label_name == ""
    assert read_table("n,first,Species\n1,a,b\n2,a,c").label_name == "Species"
    assert read_table("1,2\n3,4").labels == {}
    assert read_table("n,kind\n1,a\n2,\n3,b\n4,\n5,").labels == {"kind": ("a", "", "b")}


def test_numbers_are_labels_only_where_their_name_says_so():
    table = read_table("a,b,target\n1,0,0\n2,1,1\n3,1,0")
    assert table.labels == {"target": ("0", "1", "0")}
    assert table.label_name == "target"
    assert any("“target” is taken for the true groups" in note for note in table.notes)
    assert read_table("target\n1\n2").labels == {}, "there must be something left to cluster"


@pytest.mark.parametrize(
    ("hostile", "message"),
    [
        ("1," * (LARGEST_BYTES // 2), "at most 50 columns are read, this table has 500,001"),
        ("," * (LARGEST_BYTES - 1), "the table is empty"),
        ("1" * LARGEST_BYTES, "no table of separated values"),
        ("\n".join([",".join(["1"] * 10_000)] * 40), "this table has 10,000"),
        ('"' * (LARGEST_BYTES - 1), "no table of separated values"),
        ('x,y\n1,"2\n3,4\n5,6', "no table of separated values: .* in line 4"),
        (b"x,y\n1,\x002\n", "zero bytes"),
        ("x,y\n1,\x002\n", "control characters"),
        ("привет,мир\n1,2\n".encode("cp1251"), "encoding of this text could not be recognised"),
    ],
)
def test_a_hostile_file_is_refused_with_a_reason(hostile, message):
    with pytest.raises(TextError, match=message):
        read_table(hostile)


def test_long_and_ragged_files_are_cut_to_what_is_read():
    many = read_table("1\n" * (LARGEST_BYTES // 2))
    assert many.values.shape == (MOST_ROWS, 1)
    ragged = read_table("1\n" * (LARGEST_BYTES // 4) + "1,2\n" * (LARGEST_BYTES // 8 - 1))
    assert ragged.values.shape == (MOST_ROWS, 1)
    assert counted(ragged)[0][:2] == [124_999, 1]
