"""Zero probabilities and four ways to avoid them: held-out perplexity as n grows."""

import math

import pandas as pd
import streamlit as st

from lm_core.experiments.n_grams.results import KS, NGramScore
from lm_core.experiments.published import MAKEMORE_BIGRAMS
from pages.n_grams.counted import choose_counted, results
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, VERMILLION

_INFINITE, _INTERPOLATION, _KNESER_NEY = "none: infinite", "interpolation", "Kneser-Ney"
_STYLES = {
    _INFINITE: page.LineStyle(VERMILLION, 2),
    _INTERPOLATION: page.LineStyle(GREEN, 1),
    _KNESER_NEY: page.LineStyle(BLUE),
}
_TRAINING = "none, on the counted text"
_TOP = 30.0


def _choose_k() -> float:
    """Draw what add-k adds to every count, and return it."""
    return page.pick("add_k", "k of add-k", KS, 1.0, width=220)


def smoothing(screen: page.FirstScreen) -> None:
    """Draw held-out perplexity by n for every smoothing, add-k once it was guessed."""
    with screen.controls:
        counted, k = choose_counted(), _choose_k()
    scores = results().of_text(counted)
    asked = _ask(screen, counted, scores)
    with screen.picture:
        _perplexities(scores, k, asked)
    best = min(scores, key=lambda score: score.kneser_ney)
    infinite = next(score.n for score in scores if score.impossible_share > 0)
    if not asked.masks:
        page.note_beside(
            screen,
            "Without smoothing one unseen n-gram makes held-out text impossible, so from n ="
            f" {infinite} on the perplexity is infinite. *Add-k* gives every n-gram k more counts,"
            " but with longer n-grams most of these go to what never comes, because there are so"
            " many that were never seen. *Interpolation* mixes in shorter contexts, which were"
            " seen more often. *Kneser-Ney* also asks in how many different contexts a letter was"
            f" found; it is best, at n = {best.n}: as unsure as among"
            f" **{math.exp(best.kneser_ney):.2f}** equally likely letters.",
        )
    if not page.is_presenting():
        _notes(scores)


def _ask(screen: page.FirstScreen, counted: str, scores: tuple[NGramScore, ...]) -> page.Asked:
    best = min(scores, key=lambda score: score.perplexity_with(1.0))
    longest = scores[-1]
    return page.ask(
        screen,
        f"n_grams_best_{counted}",
        "With k = 1, for which n does add-k predict held-out text best?",
        [str(score.n) for score in scores],
        right=str(best.n),
        reason=f"n = **{best.n}**, perplexity {best.perplexity_with(1.0):.2f}; with n ="
        f" {longest.n} it is {longest.perplexity_with(1.0):.2f}, because most of the added"
        " counts then go to what never comes.",
    )


def _perplexities(scores: tuple[NGramScore, ...], k: float, asked: page.Asked) -> None:
    added = f"add-{k:g}"
    lines = {
        _INFINITE: [(s.n, _TOP) for s in scores if s.impossible_share > 0],
        _INTERPOLATION: [(s.n, math.exp(s.interpolation)) for s in scores],
        _KNESER_NEY: [(s.n, math.exp(s.kneser_ney)) for s in scores],
    }
    if not asked.masks:
        lines[added] = [(s.n, s.perplexity_with(k)) for s in scores]
    best = {name: min(pairs, key=lambda pair: pair[1]) for name, pairs in lines.items()}
    said = [
        f"{name} best at n = {n} ({value:.2f})"
        for name, (n, value) in best.items()
        if name != _INFINITE
    ]
    guess = asked.at(lambda n: (int(n), scores[int(n) - 1].perplexity_with(1.0)))
    title = f"Held-out perplexity: {'; '.join(said)}"
    st.markdown(f"**{title}**")
    training = [(s.n, math.exp(s.training_loss)) for s in scores]
    page.show_chart(
        page.line_chart(
            lines,
            {**_STYLES, added: page.LineStyle(ORANGE, 1)},
            page.Axis("n", (1, len(scores)), values=tuple(range(1, len(scores) + 1))),
            page.Axis("perplexity", (2.0, _TOP), True, (2, 3, 5, 10, 20, 30)),
            dots={_TRAINING: training},
            guess=guess,
            has_points=True,
            height=330,
        ),
        pd.DataFrame(
            [(name, *pair) for name, pairs in lines.items() for pair in pairs]
            + [(_TRAINING, *pair) for pair in training],
            columns=["smoothing", "n", "perplexity"],
        ).replace({"perplexity": {_TOP: math.inf}}),
        key="n_grams_smoothing",
        alt=f"{title}. Without smoothing it is infinite from n = {lines[_INFINITE][0][0]} on.",
        name="perplexity-by-n",
    )
    st.caption(
        "The grey dots are the plain counts on the very text that was counted. They keep falling, because"
        " longer contexts fit this text ever more exactly, and say nothing about new text."
    )


def _notes(scores: tuple[NGramScore, ...]) -> None:
    longest = scores[-1]
    weights = ", ".join(f"{weight:.2f}" for weight in longest.weights)
    st.markdown(
        "The *perplexity* is e to the loss in nats, the number of equally likely letters among which"
        f" the model would be as unsure. The weights of the interpolation, for n = 1 to {longest.n}:"
        f" {weights}. EM fitted them on a tenth of the training text that was not counted meanwhile;"
        " fitted on what was counted, the longest context would take all.\n\n"
        "Bigram counts of all 32,033 names have a loss of"
        f" **{results().bigrams_of_all_names:.4f}** nats a letter on the same names. The published"
        f" notebook (makemore, part 1) prints {MAKEMORE_BIGRAMS} in the cell for the counts; that"
        " output carries a gradient, so it is the trained network's."
    )
