"""The ladder itself: loss against size for every model, and by how much two of them differ."""

import math
import re

import pyarrow as pa
import streamlit as st

from lm_core.experiments.model_ladder.families import FAMILIES
from lm_core.experiments.model_ladder.results import UNIFORM, Rung
from pages.model_ladder.ladder_chart import model_ladder
from pages.model_ladder.ladder_models import results, short_title, style_of, trained_models
from pages.model_ladder.ladder_points import LadderPoint
from pages.model_ladder.with_quotes import with_quotes
from pages.shared import page
from pages.shared.ui.markdown import escaped
from pages.shared.ui.times import duration

_COUNTED = re.compile(r"ngram-\d+")
"""Names of n-grams with all their counts, through which the line is drawn."""
_NO_WORD = re.compile(r"\W")
_ANSWERS = {
    "more, by 0.1 or above": page.Answer(0.1, 0.2),
    "more, by 0.02 to 0.1": page.Answer(0.02, 0.05),
    "about as much": page.Answer(-0.02, 0.0),
    "less, by 0.02 to 0.1": page.Answer(-0.1, -0.05),
    "less, by 0.1 or above": page.Answer(-math.inf, -0.2),
}


def ladder(screen: page.FirstScreen, first: Rung, second: Rung) -> None:
    """Draw the loss of every model against its size, the second one's once it was guessed."""
    asked = _ask(screen, first, second)
    shown = [rung for rung in results().rungs if not asked.masks or rung != second]
    with screen.picture:
        _picture(shown, (first, second), asked)
    best = shown[-1]
    smaller, larger = sorted((first, second), key=lambda rung: rung.parameters)
    size = "as here" if larger.loss < smaller.loss else "but not always"
    if not asked.masks:
        page.note_beside(
            screen,
            f"Larger models mostly have a lower loss, {size}: {first.title} has {first.parameters:,} parameters,"
            f" {second.title} {second.parameters:,}. The n-grams hardly fall any more where longer contexts have seldom been seen,"
            f" because then they mostly rely on the shorter ones. The lowest loss, **{best.loss:.3f}**,"
            f" belongs to {best.title}: it is as unsure as among {math.exp(best.loss):.2f} equally likely"
            " characters, of 70.",
        )
    page.below("Rung by rung: all numbers", "rungs", _table, shown, best, icon="table_chart")
    page.below(
        "Models that read quotation marks too, one of them 33 books",
        "rungs_with_quotes",
        with_quotes,
        icon="format_quote",
    )


def _ask(screen: page.FirstScreen, first: Rung, second: Rung) -> page.Asked:
    apart = second.minus(first)
    kind = "more" if apart.nats > 0 else "less"
    sure = "" if apart.is_sure else ", which is too little to tell them apart"
    return page.ask(
        screen,
        _NO_WORD.sub("_", f"ladder_{first.name}_{second.name}"),
        f"The loss of {first.title} is {first.loss:.2f} nats a character. How high is that of"
        f" {second.title}, with {second.parameters:,} parameters?",
        _ANSWERS,
        right=apart.nats,
        reason=f"**{second.loss:.3f}**: {abs(apart.nats):.3f} ± {apart.standard_error:.3f}"
        f" {kind}{sure}. The ± is one standard error of the difference, block by block on the"
        " same characters, so what is hard for both cancels out.",
    )


def _picture(shown: list[Rung], pair: tuple[Rung, Rung], asked: page.Asked) -> None:
    first, second = pair
    worst, best = shown[0], shown[-1]
    finding = (
        f"{len(shown)} models read the same text: from {worst.loss:.2f} nats ({short_title(worst)}) to"
        f" {best.loss:.2f} ({short_title(best)})"
    )
    st.markdown(f"**{finding}**")
    families = [f for f in FAMILIES if any(rung.family == f for rung in shown)]
    families += sorted({rung.family for rung in shown} - set(FAMILIES))
    page.show_chart(
        model_ladder(
            _points(shown, pair),
            {family: style_of(family) for family in families},
            reference=(f"uniform: log 70 = {UNIFORM:.2f}", UNIFORM),
            guess=asked.value and (second.parameters, first.loss + asked.value.typical),
        ),
        lambda: _numbers(shown, best),
        key="ladder_rungs",
        alt=f"{finding}. " + "; ".join(f"{rung.title}: {rung.loss:.3f}" for rung in shown),
        name="model-ladder",
    )
    if not page.is_presenting():
        st.caption(
            "The numbers at the grey line say how many characters an n-gram looks back at. The upright"
            " axis is logarithmic in what a loss exceeds 1 nat by, so the small differences between the"
            " best models can be seen."
        )


def _points(shown: list[Rung], chosen: tuple[Rung, Rung]) -> list[LadderPoint]:
    return [
        LadderPoint(
            rung.title,
            rung.name.removeprefix("ngram-") if _is_counted(rung) else short_title(rung),
            rung.family,
            rung.parameters,
            rung.loss,
            rung.standard_error,
            duration(rung.seconds),
            rung.characters_seen,
            is_joined=_is_counted(rung),
            is_chosen=rung in chosen,
        )
        for rung in shown
    ]


def _is_counted(rung: Rung) -> bool:
    return bool(_COUNTED.fullmatch(rung.name))


def _numbers(shown: list[Rung], best: Rung) -> pa.Table:
    """Return a row for each rung, the lowest loss first."""
    shown = shown[::-1]
    apart = [rung.minus(best) for rung in shown]
    return pa.table(
        {
            "model": [rung.title for rung in shown],
            "family": [rung.family for rung in shown],
            "loss": [rung.loss for rung in shown],
            "± block": [rung.standard_error for rung in shown],
            "above the best": [found.nats for found in apart],
            "± paired": [found.standard_error for found in apart],
            "parameters": [rung.parameters for rung in shown],
            "training": [duration(rung.seconds) for rung in shown],
            "characters seen": [rung.characters_seen for rung in shown],
        }
    )


def _table(shown: list[Rung], best: Rung) -> None:
    """Draw all numbers, and name what was not scored yet."""
    losses = ("loss", "± block", "above the best", "± paired")
    st.dataframe(
        _numbers(shown, best),
        hide_index=True,
        height="content",
        column_config={
            **{name: st.column_config.NumberColumn(format="%.4f") for name in losses},
            **{
                name: st.column_config.NumberColumn(format="localized")
                for name in ("parameters", "characters seen")
            },
        },
    )
    made = results().provenance
    st.markdown(
        f"Losses in nats a character of the same {made['characters']:,} characters: the last tenth of"
        " the book, without the licence, read once from beginning to end. None of these models has"
        " learned from it. *± block* is the standard error of a loss, from blocks of 5,000 characters; *± paired* is"
        " the error of the difference from the best model. It is mostly the smaller one, because a difficult"
        " passage is difficult for both and cancels out; not so beside the unigram and the 1-character"
        " n-gram, whose losses are nearly the same in every passage. A"
        " mixture takes 0.6 of the network's probability and 0.4 of the n-gram's. Of subwords, a"
        " token's loss is shared out over its characters."
    )
    missing = results().missing(list(trained_models().values()))
    if missing:
        names = ", ".join(escaped(meta.title) for meta in missing)
        st.info(
            f"Not scored yet: {names}. The command `python -m lm_core experiment model-ladder` does it.",
            icon=":material/hourglass_empty:",
        )
