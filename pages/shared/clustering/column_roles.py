"""What the columns and rows of a table are for: coordinates, numbers that only count, groups, totals.

Nothing is decided for good: what is left out here can be chosen on the page.
"""

import re
from collections.abc import Iterable, Sequence

import pandas as pd

MOST_GROUPS = 10
_LABEL_NAMES = {
    "label", "labels", "class", "classes", "species", "target", "group", "groups", "true group",
    "category", "cluster", "truth", "y", "type", "klasse", "gruppe", "art", "outcome", "diagnosis",
}  # fmt: skip
_ID_NAMES = re.compile(
    r"(.*[\s_.-])?(id|ids|nr|no|number|nummer|index|idx|code|key|zip|plz|postcode|postal code|phone|isbn"
    r"|matrikelnummer|row|rownames|passengerid|customerid|unnamed: ?\d+)\.?|#|№"
)
_YEAR_NAMES = {"year", "jahr", "année", "annee", "año", "ano", "anno", "rok", "год", "år"}
_TOTALS = re.compile(
    r"((grand|sub|over ?all|class|klassen|noten|gesamt)[ -]?)?"
    r"(totals?|sums?|summen?|gesamt|insgesamt|totale|suma|razem|somme|итого|всего"
    r"|mean|average|avg|mittel|mittelwert|schnitt|durchschnitt|moyenne|media|promedio|среднее|count|anzahl|all|alle)\W*"
)
_CODES = tuple(float(sign + "9" * n) for n in range(2, 7) for sign in ("-", ""))
"""-99, 99, -999, ...: what stands for a missing number where a table knows no empty cell."""
_DATE = re.compile(
    r"\d{1,4}([-/.])\d{1,2}\1\d{1,4}([ T].*)?|\d{1,2}:\d{2}(:\d{2})?"
    r"|\d{1,2}\.? ?[^\W\d]{3,9}\.? ?\d{2,4}|[^\W\d]{3,9}\.? \d{1,2},? \d{4}"
)


def says_label(name: str, others: Iterable[str] = ()) -> bool:
    """Return whether the name of a column says that it holds the true groups; y beside x is a coordinate."""
    called = name.strip().casefold()
    return called in _LABEL_NAMES and not (called == "y" and "x" in map(str.casefold, others))


def why_no_coordinate(name: str, values: "pd.Series[float]") -> str:
    """Return why a column of numbers measures nothing, in a word or two; empty where it may.

    Examples
    --------
    >>> why_no_coordinate("a", pd.Series([1.0, 2.0, 3.0, 4.0, 5.0]))
    'it only counts the rows'
    """
    known = values.dropna()
    if len(known) > 1 and known.nunique() == 1:
        return f"it is {known.iloc[0]:g} in every row"
    if len(known) < 3 or not (known % 1 == 0).all():
        return ""
    if len(known) >= 5 and (known.diff().dropna() == 1).all():
        return "it only counts the rows"
    called = " ".join(re.sub(r"(?<=[a-z])(?=I[Dd]\b)", "_", name).casefold().split())
    if _ID_NAMES.fullmatch(called) and known.nunique() > len(known) / 2:
        return "its name says that its numbers name the rows"
    if called in _YEAR_NAMES and known.between(1_000, 2_999).all() and known.nunique() > 1:
        return "it holds years"
    return ""


def may_be_groups(values: "pd.Series[float]") -> bool:
    """Return whether a column of numbers has few whole ones, each of which comes again."""
    known = values.dropna()
    different = known.nunique()
    return bool(
        1 < different <= MOST_GROUPS and 4 * different <= len(known) and (known % 1 == 0).all()
    )


def missing_code(values: "pd.Series[float]") -> float | None:
    """Return the number that stands for missing ones in a column, such as -999; None where none does.

    It lies far from all others. One that is not negative must occur at least twice.
    """
    for code in _CODES:
        is_code = values == code
        rest = values[~is_code].abs().max()
        if is_code.sum() > (0 if code < 0 else 1) and rest < abs(code) / 2 and is_code.mean() < 0.5:
            return code
    return None


def are_totals(words: "pd.DataFrame", numbers: "pd.DataFrame") -> "pd.Series[bool]":
    """Return which rows sum the others up: their words say so, or the last one's numbers do.

    `words`, `numbers`: DataFrame, the cells of columns without numbers, and the numbers of the others.
    """
    totals = pd.Series(data=False, index=numbers.index)
    for column in words:
        said = words[column].str.lower().str.fullmatch(_TOTALS.pattern)
        if 0 < said.sum() <= max(1, len(words) / 4):
            totals |= said
    above = numbers[~totals].iloc[:-1]
    last = numbers[~totals].iloc[-1:]
    if len(above) >= 3 and not totals.any() and last.notna().to_numpy().all():
        sums = above.sum()
        close = (sums - last.iloc[0]).abs() <= 1e-6 * sums.abs()
        if (close & (sums != 0)).all() and (above.std() > 0).any():
            totals.loc[last.index] = True
    return totals


def are_dates(cells: Sequence[str]) -> bool:
    """Return whether most of some cells are dates or times of day."""
    filled = [cell for cell in cells if cell][:50]
    return 2 * sum(bool(_DATE.fullmatch(cell)) for cell in filled) > len(filled)
