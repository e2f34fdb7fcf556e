"""Four lists of words: whether the first is nearer to the third than the second is, by more than chance."""

from hashlib import sha256

import pandas as pd
import streamlit as st
import torch

from lm_core.analysis.word_associations import AssociationTest, association_test, associations
from lm_core.rng import generator
from pages.embeddings.associated_lists import (
    EXAMPLES,
    FIELDS,
    FIRST,
    Lists,
    read_lists,
    take_example,
)
from pages.embeddings.vectors import INPUT, MOST_TYPED, is_own
from pages.embeddings.word_choice import Choice, choose_table
from pages.shared import page
from pages.shared.charts.comparisons import difference_bars
from pages.shared.charts.palette import BLUE, GREY, ORANGE
from pages.shared.numbers import percent

_ANSWERS = {"In about half of them": 0.5, "In one of ten": 0.1, "In one of a hundred or fewer": 0.0}
_BINS = 30
_LEAST_REACH = 0.001  # of the axis, where every split differs by nothing
_CHANCE, _THESE = "split by chance", "these two lists"
_STYLES = {_CHANCE: page.LineStyle(GREY), _THESE: page.LineStyle(ORANGE)}


def bias_test(choice: Choice) -> None:
    """Draw which words are nearer to the one list than to the other, beside what chance makes of it."""
    screen = page.first_screen(picture=3.0, beside=1.1)
    with screen.controls:
        st.menu_button("Examples", list(EXAMPLES), key="association_example", on_click=take_example)
        with st.popover("The four lists", icon=":material/edit:"):
            typed = [
                page.text(name, label, words, max_chars=MOST_TYPED)
                for (name, label), words in zip(FIELDS.items(), FIRST, strict=True)
            ]
        table = choose_table(choice.meta)
    with screen.beside:
        lists = read_lists(choice, typed)
    if lists is None:
        return
    space = choice.space(table)
    near, far = space.unit(lists.near), space.unit(lists.far)
    both = [associations(space.unit(ids), near, far) for ids in (lists.first, lists.second)]
    key = sha256(repr(lists).encode()).hexdigest()
    found = association_test(both[0], both[1], generator(int(key[:8], 16)))
    is_first = tuple(typed) == FIRST and table == INPUT and not is_own(choice.meta)
    asked = _ask(screen, choice, found, is_first=is_first and not choice.subtract_mean)
    with screen.picture:
        names = [choice.vocabulary.words[ids[0]] for ids in lists]
        st.markdown(f"**{_finding(names, found)}**")
        _draw(choice, lists, both, found, asked)
    page.note_beside(screen, _explained(found, names, asked))


def _ask(
    screen: page.FirstScreen, choice: Choice, found: AssociationTest, *, is_first: bool
) -> page.Asked[float]:
    return page.ask(
        screen,
        f"association_{choice.meta.name}",
        f"Split the same words into two lists by chance, in all {len(found.splits):,} ways. In how many is the"
        " difference as large, in the same direction?",
        _ANSWERS,
        right=found.share,
        reason=f"In **{_rounded(found.share)}** of them. {_verdict(found)}",
        when=is_first,
    )


def _verdict(found: AssociationTest) -> str:
    if found.share <= 0.05:
        return (
            "So it is hardly chance which words stand in which list: in the texts, the two kinds of words keep"
            " different company, and the vectors have learned it."
        )
    return (
        "That is too often to rule chance out, because a difference of this size also comes about where words are"
        " put into lists at random."
    )


def _rounded(share: float) -> str:
    return percent(share, 2 if share < 0.01 else 1 if share < 0.1 else 0)


def _finding(names: list[str], found: AssociationTest) -> str:
    x, y, a, b = names
    nearer, other = (x, y) if found.difference >= 0 else (y, x)
    return (
        f"Compared with {other}, …, the words {nearer}, … lean by {abs(found.difference):.3f} towards {a}, …"
        f" and away from {b}, … (effect size {found.effect_size:.2f})"
    ).replace("-", "−")


def _draw(
    choice: Choice,
    lists: Lists,
    both: list[torch.Tensor],
    found: AssociationTest,
    asked: page.Asked[float],
) -> None:
    left, right = st.columns([1, 1.25], gap="medium")
    if page.is_presenting():
        right = st.container()
    else:
        with left:
            _bars(choice, lists, both)
    counts = torch.histc(found.splits, _BINS)
    low, high = float(found.splits.min()), float(found.splits.max())
    middles = torch.linspace(low, high, 2 * _BINS + 1)[1::2]
    shares = counts / len(found.splits)
    lines = {
        _CHANCE: list(zip(middles.tolist(), shares.tolist(), strict=True)),
        _THESE: [(found.difference, 0.0), (found.difference, float(shares.max()))],
    }
    reach = 1.1 * max(abs(found.difference), -low, high, _LEAST_REACH)
    with right:
        page.show_lines(
            "association_splits",
            lines,
            _STYLES,
            page.Axis("difference of the two lists' mean associations", (-reach, reach)),
            page.Axis("share of the splits", (0.0, 1.1 * float(shares.max())), form=".0%"),
            hidden=asked.hides(_CHANCE),
            said="How often the same words, split by chance, differ by how much.",
            height=330,
        )


def _bars(choice: Choice, lists: Lists, both: list[torch.Tensor]) -> None:
    frame = pd.DataFrame(
        [
            (choice.vocabulary.words[i], float(value), colour)
            for ids, values, colour in zip(lists[:2], both, (BLUE, ORANGE), strict=True)
            for i, value in zip(ids, values, strict=True)
        ],
        columns=["model", "difference", "colour"],
    ).drop_duplicates("model")
    page.show_chart(
        difference_bars(
            frame, noise=0.0, title="mean cosine with the third list, less with the fourth"
        ),
        frame.rename(columns={"model": "word"})[["word", "difference"]],
        key="association_words",
        alt="; ".join(f"{row.model} {row.difference:+.3f}" for row in frame.itertuples()),
        name="associations",
    )


def _explained(found: AssociationTest, names: list[str], asked: page.Asked[float]) -> str:
    x, y, a, b = (f"*{name}, …*" for name in names)
    n = f"{'all ' if found.is_exact else ''}{len(found.splits):,} {'' if found.is_exact else 'drawn '}ways"
    begin = (
        f"A word's *association* is its mean cosine with {a} minus that with {b}. Blue are {x}, orange {y}. The"
        " *effect size* is the difference of their means in standard deviations; by a common convention, 0.8 or more is large."
        f" A *permutation test* splits the same words anew, here in {n}, because two lists differ by chance as well."
    )
    if asked.prediction is not None:
        return begin
    return f"{begin} {_rounded(found.share)} of these differ at least as much in the same direction. {_verdict(found)}"
