"""Models trained on short windows read on: what each way of telling positions is worth beyond them."""

from functools import partial
from typing import NamedTuple

import streamlit as st

from lm_core.experiments.positional_encoding.beyond_length import POSITIONS
from lm_core.experiments.positional_encoding.results import GROUP, BeyondLengthResults, GroupLoss
from pages.positional_encoding.words_by_encoding import TITLES
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE
from pages.shared.counts import counted

_STYLES = {
    TITLES[position]: page.LineStyle(colour, dash)
    for position, colour, dash in (
        ("learned", PURPLE, 1),
        ("none", GREY, 2),
        ("sinusoidal", ORANGE, 0),
        ("rotary", BLUE, 1),
        ("alibi", GREEN, 0),
    )
}
_ALL, _LAST = "All before it", "The last 64"
_ASKED = 256  # the place at which the question asks
_LONGEST = 512
_FALLS, _SAME, _RISES = "It is lower: more text helps", "It is about the same", "It is far higher"


class Chosen(NamedTuple):
    """How far back each character may attend, and the position that is read off."""

    attends: str = page.field(page.segments, "Each character attends to", (_ALL, _LAST))
    read_to: int = page.field(page.slider, "Position", GROUP, _LONGEST, _ASKED, GROUP, width=220)


beyond_results = partial(page.shipped, BeyondLengthResults)
"""Returns what was measured; ResultError where it is missing."""


@st.cache_data(max_entries=2, show_spinner=False)
def _losses(is_limited: bool) -> dict[str, tuple[GroupLoss, ...]]:
    found = beyond_results()
    return {
        TITLES[position]: found.losses(position, is_limited=is_limited) for position in POSITIONS
    }


def beyond(screen: page.FirstScreen) -> None:
    """Draw the loss by position; what comes after the trained windows waits for the guess."""
    chosen = page.controls(Chosen, screen)
    results, losses = beyond_results(), _losses(chosen.attends == _LAST)
    trained, sinusoidal = results.trained, TITLES["sinusoidal"]
    before, after = (_at(losses[sinusoidal], place) for place in (trained, _ASKED))
    asked = page.ask(
        screen,
        "beyond",
        f"All five models have learned from windows of {trained} characters. A sinusoidal code can be computed"
        f" for any position. What is that model's loss at position {_ASKED}, compared with position {trained}?",
        {_FALLS: before - 0.1, _SAME: before, _RISES: before + 0.5},
        right=after,
        reason=lambda _: _reason(losses, trained),
        when=chosen.attends == _ALL,
    )
    end = trained if asked.masks else _LONGEST
    with screen.picture:
        st.markdown(f"**{_finding(losses, min(chosen.read_to, end))}**")
        _draw(losses, asked, min(chosen.read_to, end), end, trained)
    page.note_beside(screen, _explained(chosen, results))


def _at(losses: tuple[GroupLoss, ...], place: int) -> float:
    """Return the loss at a position, or the last one before it."""
    return next(group.mean for group in reversed(losses) if group.last <= place)


def _draw(
    losses: dict[str, tuple[GroupLoss, ...]],
    asked: page.Asked[float],
    read_to: int,
    end: int,
    trained: int,
) -> None:
    shown = {
        name: [group for group in groups if group.last <= end] for name, groups in losses.items()
    }
    every = [group.mean for groups in shown.values() for group in groups]
    page.show_lines(
        "beyond_length",
        {name: [(group.last, group.mean) for group in groups] for name, groups in shown.items()},
        _STYLES,
        page.Axis("position, in groups of 16", (0, _LONGEST), values=(64, 128, 256, 384, 512)),
        page.Axis.around("loss, nats a character", every),
        rings={
            name: [(read_to, _at(tuple(groups), read_to))]
            for name, groups in shown.items()
            if groups[-1].last >= read_to
        },
        now=trained,
        at=read_to,
        guess=asked.at(lambda loss: (_ASKED, loss)),
        waiting=asked.waiting("after 64", (trained + _ASKED) / 2),
        height=330,
    )


def _finding(losses: dict[str, tuple[GroupLoss, ...]], place: int) -> str:
    said = [
        f"{name} {_at(groups, place):.2f}"
        for name, groups in losses.items()
        if groups[-1].last >= place
    ]
    return f"Loss at position {place}, in nats a character: {', '.join(said)}"


def _reason(losses: dict[str, tuple[GroupLoss, ...]], trained: int) -> str:
    said = [
        f"{name} from {_at(groups, trained):.2f} to {_at(groups, _ASKED):.2f}"
        for name, groups in losses.items()
        if groups[-1].last >= _ASKED
    ]
    return (
        f"From position {trained} to {_ASKED} the loss goes: **{', '.join(said)}**. Sinusoidal and rotary"
        " codes can be computed for every position, but the weights have not met those beyond the trained length: the"
        " sums and angles are new to them, so the scores are probably wrong. ALiBi only says"
        " *farther is fainter*, which goes on to hold. The learned table simply ends."
    )


def _explained(chosen: Chosen, results: BeyondLengthResults) -> str:
    seeds = counted(len(results.of("none")), "training")
    if chosen.attends == _LAST:
        return (
            "Now no character looks farther back than in training. Rotary and ALiBi slide their window along and stay"
            " nearly as good as they were, so the text itself is hardly harder later on; without positions the loss"
            " rises all the same. Codes that are added count from the start of a block, so these models begin anew every"
            " 64 characters: they err more in the first two or three, which a mean over 16 hardly shows."
        )
    return (
        "The *loss* is −ln of the probability that a model gives to the character that follows; lower is better, and 2.3"
        " nats is one in ten. The models differ in nothing but how they are told positions"
        f" ({seeds} of each, so differences of a few hundredths may be chance). Up to the grey rule at 64 they are on"
        " trained ground. Then choose *The last 64*: is it the text or the distance that they cannot bear?"
    )
