"""Tables as spreadsheets, statistics programs and people write them: what is read, and what is said."""

import io
import zipfile
from pathlib import Path
from typing import NamedTuple

import openpyxl
import pytest

from lm_core.bounded_work import BoundedWorkers
from lm_core.errors import TextError
from lm_core.text.spreadsheets import rows_of
from pages.shared.clustering.uploaded_table import Assumed, read_table

CASES = Path(__file__).resolve().parents[4] / "shared" / "cases" / "tables"


class Case(NamedTuple):
    content: str
    coordinates: tuple[str, ...]
    first: list[float]  # of all columns of numbers
    said: str = ""
    label: str = ""


AB = ("a", "b")
OURS = {
    "Excel's sep": Case("sep=;\na;b\n1,90;3,20\n5,91;7,8\n", AB, [1.9, 3.2], "semicolons"),
    "Excel's sep, quoted": Case('"sep=|"\na|b\n1|3\n5|7\n', AB, [1, 3], "bars"),
    "Excel's sep, a tab": Case("sep=\t\na\tb\n1\t3\n5\t7\n", AB, [1, 3], "tabs"),
    "commas in quotes": Case('a,b\n"1,5","3,25"\n"2,5","4"\n', AB, [1.5, 3.25], "decimal comma"),
    "whole lines in quotes": Case('"a;b"\n"1,9;3,2"\n"5,9;7,8"\n', AB, [1.9, 3.2], "semicolons"),
    "German thousands": Case("a;b\n1.897,50;32,05\n950,00;7,8\n", AB, [1897.5, 32.05], "points"),
    "German, whole": Case("a;b\n12.345;909\n850;77\n", AB, [12345, 909], "“12.345” parts thousands"),
    "American, whole": Case("a\tb\n18,976\t16\n59,095\t39\n", AB, [18976, 16], "“18,976” parts"),
    "Swiss": Case("a;b\n1'200.50;3\n1\u2019999.00;4\n", AB, [1200.5, 3], "apostrophes between"),
    "French": Case("a;b\n1\u202f234,50;3\n2 345,00;4\n", AB, [1234.5, 3], "spaces between"),
    "Indian": Case("a\tb\n1,23,456\t3\n12,34,567\t4\n", AB, [123456, 3], "commas between"),
    "decimals after semicolons": Case("a;b\n1,234;3\n2,345;4\n", AB, [1.234, 3], "stands before"),
    "three decimals": Case("1.898 3.205\n5.910 7.874\n", ("column 1", "column 2"), [1.898, 3.205]),
    "less than one": Case("a;b\n0,123;3\n0,456;4\n", AB, [0.123, 3], "decimal comma"),
    "euros": Case("a;b\n1.234,50 €;3\n99,90 €;4\n", AB, [1234.5, 3], "without their units €"),
    "dollars": Case('a,b\n"$1,234.50",3\n-$5.00,4\n', AB, [1234.5, 3], "without their units $"),
    "codes of currencies": Case("a,b\nCHF 12.5,3\nCHF 9.5,4\n", AB, [12.5, 3], "CHF"),
    "per cent": Case("a,b\n12 %,3\n5%,4\n", AB, [12, 3], "without their units %"),
    "centimetres": Case("a,b\n12 cm,3\n5 cm,4\n", AB, [12, 3], "without their units cm"),
    "two units": Case("a,b,c\n5 kg,3,1\n300 g,4,2\n2 kg,7,4\n", ("b", "c"), [3, 1], "such as “5 kg”"),
    "accountants' losses": Case("a\tb\n(1,234.50)\t3\n2.00\t4\n", AB, [-1234.5, 3]),
    "minus behind": Case("a,b\n12-,3\n5,4\n", AB, [-12, 3]),
    "Unicode minus": Case("a,b\n−1.5,3\n–2,4\n", AB, [-1.5, 3]),
    "Arabic digits": Case("a,b\n\u0661\u0662,3\n\u0665,4\n", AB, [12, 3]),
    "spaces": Case("  1.5    2\n  3.25   4\n", ("column 1", "column 2"), [1.5, 2], "spaces"),
    "spaces, decimal commas": Case("1,5 2,7\n3,3 4,1\n", ("column 1", "column 2"), [1.5, 2.7]),
    "Markdown": Case("| a | b |\n|---|--:|\n| 1 | 2.5 |\n| 3 | 4.5 |\n", AB, [1, 2.5], "bars"),
    "psql": Case(" a | b \n---+---\n 1 | 2\n 3 | 4\n(2 rows)\n", AB, [1, 2], "“(2 rows)”"),
    "comments": Case("# mine\na,b\n1,2\n% more\n3,5\n", AB, [1, 2], "2 lines are comments"),
    "names in a comment": Case("# a b\n1.0 2.0\n3.5 4.5\n", AB, [1, 2]),
    "a title": Case("Measured in May\n\na;b\n1;2\n3;4\n", AB, [1, 2], "“Measured in May”"),
    "commas at the end": Case("a,b\n1,2,\n3,4,\n", AB, [1, 2]),
    "R's row names": Case('"a","b"\n"x",1.5,2\n"y",3,4\n', AB, [1.5, 2], "such as “x”"),
    "R's row numbers": Case(
        '"a","b"\n' + "".join(f'"{i}",{i * i}.5,{7 - i}\n' for i in range(1, 7)), AB, [1, 1.5, 6],
        "it only counts the rows",
    ),
    "pandas' index": Case(
        ",a,b\n" + "".join(f"{i},{i * i}.5,{7 - i}\n" for i in range(6)), AB, [0, 0.5, 7],
        "it only counts the rows",
    ),
    "ids": Case("CustomerID,a\n17,1.5\n32,2.5\n99,7\n", ("a",), [17, 1.5], "name the rows"),
    "years": Case("Year,a\n1990,1.5\n1995,2.5\n2001,7\n", ("a",), [1990, 1.5], "it holds years"),
    "years as names": Case("place,2019,2020\nX,1,2\nY,4,5\nZ,7,7\n", ("2019", "2020"), [1, 2]),
    "dates": Case("when,a,b\n01.06.2024,1,2\n02.06.2024,3,4\n", AB, [1, 2], "holds dates or times"),
    "a total in words": Case("k;a;b\nx;1;5\ny;2;7\nTotal;3;12\n", AB, [1, 5], "(line 4)"),
    "a total in numbers": Case("a,b\n1,5\n2,7\n4,9\n7,21\n", AB, [1, 5], "(line 5)"),
    "-999": Case("a,b\n1,2\n2,-999\n3,4\n", AB, [1, 2], "-999 in “b”"),
    "9999 twice": Case("a,b\n1,2\n9999,3\n9999,4\n5,6\n2,4\n", AB, [1, 2], "9999 in “a”"),
    "n/a": Case("a,b\n1,2\n2,n/a\n3,#N/A\n5,k.A.\n7,1\n8,2\n9,3\n", AB, [1, 2], "3 rows were"),
    "a typing error": Case("a,b\n1,2\n2,3o\n3,4\n", AB, [1, 2], "the first is “3o”, in line 3"),
    "one column, decimal commas": Case("a\n1,5\n7,2\n3,9\n", ("a",), [1.5], "decimal comma"),
    "half as many names": Case("a,b\n1,5,2,7\n3,1,4,4\n", AB, [1.5, 2.7], "half as many names"),
    "classes as numbers": Case(
        "a,b,y\n" + "".join(f"{i * i}.5,{9 - i},{i % 2}\n" for i in range(8)), ("a", "b", "y"),
        [0.5, 9, 0], "“y” is taken for the true groups", "y",
    ),
    "y beside x": Case("x,y\n" + "1,1\n2,2\n" * 4, ("x", "y"), [1, 1]),
}  # fmt: skip


@pytest.mark.parametrize("case", OURS.values(), ids=OURS)
def test_a_table_is_read_as_its_writer_meant_it(case):
    table = read_table(case.content)
    assert table.coordinates == case.coordinates
    assert table.values[0].tolist() == pytest.approx(case.first)
    assert case.said in " ".join([table.read.line, *table.notes])
    assert table.label_name == case.label


THEIRS = {
    "t01-excel-sep-line-2.csv": (("length", "width"), [1.9, 3.2]),
    "t01-excel-sep-line-3.csv": (("length", "width"), [1.9, 3.2]),
    "t02-quoted-decimal-comma.csv": (("length", "width"), [1.9, 3.2]),
    "t03-german-thousands.csv": (("price", "area"), [1897.5, 32.05]),
    "t05-us-thousands.tsv": (("income", "age"), [18976, 16]),
    "t07-pandas-index.csv": (("length", "width"), [0, 1.9, 3.2]),
    "t09-r-write-table.tsv": (("length", "width"), [1, 1.9, 3.2]),
    "t10-spaces.txt": (("column 1", "column 2"), [1.898, 3.205]),
    "t11-comments.csv": (("length", "width"), [1.9, 3.2]),
    "t13-dates.csv": (("Temperatur", "Feuchte"), [1.9, 3.2]),
    "t14-repeated.csv": (("x", "y"), [1, 1]),
    "t15-one-column-repeated.csv": (("x",), [-0.106]),
    "t16-milliseconds.csv": (("time", "value"), [1.7e12, 3.205]),
    "t17-constant.csv": (("x", "y"), [1.9, 3.2, 2024]),
    "t18-units.csv": (("age", "income"), [23, 64197]),
    "t19-binary.csv": (("smokes", "sports", "rich"), [0, 0, 1]),
    "t21-excel-unicode.txt": (("Länge", "Breite"), [1.9, 3.2]),
    "t25-categories.csv": (("age", "charges"), [16, 1897.6]),
    "t28-typo-outlier.csv": (("x", "y"), [1897.65, 3.2]),
    "t29-numeric-class-y.csv": (("f1", "f2", "y"), [1.9, 3.2, 0]),
    "t31-length-width-height.csv": (("length", "width", "height"), [3.81, 1.65, 11.7]),
    "t32-countries.csv": (("population", "income", "children"), [76968854, 3006, 4.67]),
    "t33-cigars.csv": (("along", "across"), [0.95, 0.25]),
}


@pytest.mark.parametrize("name", THEIRS)
def test_a_table_that_people_brought_is_read(name):
    if not (CASES / name).exists():
        pytest.skip("the cases are not beside this checkout")
    coordinates, first = THEIRS[name]
    table = read_table((CASES / name).read_bytes())
    assert table.coordinates == coordinates
    assert table.values[0].tolist() == pytest.approx(first)
    assert table.label_name == ("y" if "class-y" in name else "")


def test_a_refusal_names_the_column_with_most_gaps():
    with pytest.raises(TextError, match="most of them, “b”"):
        read_table("a,b,c\n1,,2\n3,,4\n,4,5\n6,7,\n")


def test_what_was_assumed_can_be_said():
    text = "a;b\n1,234;3\n2,345;0\n5,111;7\n"
    assert read_table(text, Assumed(decimal=".")).values[0].tolist() == [1234, 3]
    assert len(read_table(text, Assumed(missing="0")).values) == 2
    assert read_table(text, Assumed(separator=",")).names == ("column 1",)
    greek = "ύψος;βάρος\n1,5;2\n3;4\n".encode("cp1253")
    assert read_table(greek, Assumed(encoding="cp1253")).names == ("ύψος", "βάρος")


# Workbooks ------------------------------------------------------------------------------------


def here(function, content, **settings):
    assert function == f"{rows_of.__module__}:{rows_of.__name__}"
    return rows_of(content, **settings)


def workbook(**sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def test_a_workbook_is_read_and_its_sheets_can_be_chosen():
    data = workbook(
        empty=[], first=[[None], [None, "a", "b"], [None, 1.897, 2], [None, 3, 4]], other=[["c"], [5], [6]]
    )  # fmt: skip
    table = read_table(data, read_bounded=here)
    assert table.names == ("a", "b")
    assert table.values.tolist() == [[1.897, 2], [3, 4]]
    assert "an Excel workbook, sheet “first”" in table.read.line
    assert table.sheets == ("empty", "first", "other")
    assert read_table(data, Assumed(sheet="other"), here).names == ("c",)
    workers = BoundedWorkers(1)
    try:
        assert read_table(data, read_bounded=workers.call).values.tolist() == [[1.897, 2], [3, 4]]
    finally:
        workers.close()


def test_a_workbook_that_unpacks_to_gigabytes_or_is_damaged_is_refused():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/sheet1.xml", bytes(40_000_000))
    with pytest.raises(TextError, match="at most 30 MB, this one unpacks to 40 MB"):
        read_table(content.getvalue(), read_bounded=here)
    good = workbook(sheet=[[1, 2], [3, 4]])
    with pytest.raises(TextError, match="damaged"):
        read_table(good[:-40], read_bounded=here)
    with pytest.raises(TextError, match="sheets of this workbook are empty"):
        read_table(workbook(one=[], two=[[None]]), read_bounded=here)


def test_the_preview_shows_numbers_as_they_were_understood():
    table = read_table("who\tincome\tage\nAda\t18,976\t31.5\nBen\t20,100\tn/a\nCem\t9,750\t40.5\n")
    assert table.read.preview[:3] == (
        ("who", "income", "age"),
        ("Ada", "18976", "31.5"),
        ("Ben", "20100", "missing"),
    )


def test_a_constant_column_is_named_and_can_still_be_chosen():
    table = read_table("x,y,year\n1.5,2,2024\n2.5,4,2024\n4.5,3,2024\n")
    assert table.coordinates == ("x", "y")
    assert table.names == ("x", "y", "year")
    assert "“year” is left out at first: it is 2024 in every row." in table.notes
    assert read_table("a,b\n3,7\n3,7\n3,7\n").coordinates == ("a", "b")
