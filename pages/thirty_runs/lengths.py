"""Lengths: RNN and LSTM at growing lengths, each network trained by one phone."""

from collections.abc import Mapping
from statistics import fmean

import streamlit as st

from lm_core.experiments.rnn_vs_lstm.settings import clockless_chance
from lm_core.experiments.thirty_runs import lengths as recall
from lm_core.experiments.thirty_runs.scaling import ScalingResults
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, VERMILLION
from pages.shared.numbers import percent
from pages.thirty_runs import networks
from pages.thirty_runs.picture import Runs, runs_of, share_out, so_far

NAME = "Lengths"
_RNN, _LSTM, _CHANCE = "RNN", "LSTM", "chance: one in L"
_ASKED = 16
_TITLES = {"rnn": _RNN, "lstm": _LSTM}
_STYLES = {
    _RNN: page.LineStyle(VERMILLION),
    _LSTM: page.LineStyle(BLUE),
    _CHANCE: page.LineStyle(GREY, 1),
}
_X = page.Axis("symbols in a sequence, L", (3.0, 32.0), True, recall.LENGTHS)
_Y = page.Axis("right last answers", (0.0, 1.02), values=(0, 0.25, 0.5, 0.75, 1), form=".0%")

Found = Mapping[tuple[str, int], list[float]]
"""What the networks of each cell came to at each length."""


def _before(settings: Mapping[str, str], number: int) -> float:
    """Return what a training of that number came to when the lab made it."""
    seed, network = divmod(number, len(recall.NETWORKS))
    return page.shipped(ScalingResults).recalled[network].accuracies[seed]


@st.cache_data(max_entries=512, show_spinner="Your phone's network learns")
def _trained(cell: str, length: int, seed: int) -> float:
    return recall.accuracy_at_length(cell, length, seed, model_turn=lambda: page.model_calls)


def _train(settings: Mapping[str, str], number: int) -> float:
    seed, network = divmod(number, len(recall.NETWORKS))
    return _trained(*recall.NETWORKS[network], seed)


def lengths(screen: page.FirstScreen) -> None:
    """Draw how often each network names the first symbol, by cell and length."""
    with screen.controls:
        n_runs = networks.choose_trainings()
    runs = runs_of(NAME, {}, n_runs, _before)
    found = networks.by_setting(runs, recall.NETWORKS)
    asked = page.ask(
        screen,
        "lstm",
        f"At {_ASKED} symbols the RNN names the first one in {percent(_mean(found, 'rnn'))} of the sequences. In how"
        " many does the LSTM, trained in the same way?",
        {"About 40%": 0.4, "About 70%": 0.7, "Nearly all": 1.0},
        right=lambda: _mean(found, "lstm"),
        reason=lambda _: _reason(found),
        when=len(found) == len(recall.NETWORKS),
    )
    with screen.picture:
        st.markdown(f"**{_finding(runs, found, is_masked=asked.masks)}**")
        _draw(runs, found, asked)
    share_out(screen, NAME, runs, {}, n_runs, _train)
    page.note_beside(
        screen,
        f"Each dot is one small network, trained for {recall.EPOCHS} passes over all sequences of L consecutive"
        f" symbols out of {recall.VOCABULARY}: after the last symbol it has to name the first. The *RNN* writes its"
        " whole hidden state anew at each symbol, so what it has read mostly fades; the *LSTM* adds to a cell whose"
        " forget gates can learn to stay open, so more of the first symbol may still be there at the end. *Chance* is"
        " that of one who sees the last symbol, but not how many came before.",
    )


def _mean(found: Found, cell: str) -> float:
    """Return what a cell comes to at the length that is asked about; 0 before it has a run there."""
    return fmean(found.get((cell, _ASKED), [0.0]))


def _finding(runs: Runs, found: Found, *, is_masked: bool) -> str:
    of_asked = {title: found.get((cell, _ASKED)) for cell, title in _TITLES.items()}
    if is_masked or not all(of_asked.values()):
        return (
            f"{so_far(runs)} of two cells at {len(recall.LENGTHS)} lengths. Which remembers longer?"
        )
    said = ", ".join(
        f"the {title} {percent(fmean(shares))}" for title, shares in of_asked.items() if shares
    )
    return f"{so_far(runs)}: at {_ASKED} symbols {said} right"


def _reason(found: Found) -> str:
    longest = recall.LENGTHS[-1]
    rnn, lstm = (percent(fmean(found[cell, longest])) for cell in recall.CELLS)
    return (
        f"**{percent(_mean(found, 'lstm'))}**. At {longest} symbols the RNN comes to {rnn} and the LSTM to {lstm},"
        " probably because the gradient that would teach the RNN to keep the first symbol is multiplied at each step"
        " and vanishes on its long way back. At the start nearly all of it is lost along the LSTM's cell as well, but"
        " its forget gates learn to open, and then much of it passes."
    )


def _draw(runs: Runs, found: Found, asked: page.Asked[float]) -> None:
    lines = {
        title: [(float(n), fmean(found[cell, n])) for n in recall.LENGTHS if (cell, n) in found]
        for cell, title in _TITLES.items()
    }
    hidden = asked.hides(_LSTM)
    networks.show_trainings(
        "recall_by_length",
        networks.of_kind(runs, recall.NETWORKS, "rnn") if hidden else runs,
        [float(length) for _, length in recall.NETWORKS],
        lines | {_CHANCE: [(float(n), clockless_chance(n)) for n in recall.LENGTHS]},
        _STYLES,
        (_X, _Y),
        hidden=hidden,
        guess=asked.at(lambda share: (float(_ASKED), share)),
        waiting=asked.waiting(_LSTM, float(_ASKED)),
        height=360,
    )
