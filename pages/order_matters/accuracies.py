"""How often four models tell the sentiment of held-out reviews, beside chance and published figures."""

from statistics import fmean

import pandas as pd

from lm_core.experiments.order_matters.models import BAG, WINDOW
from lm_core.experiments.order_matters.results import CLASSIFIERS, PRETRAINED, SentimentResults
from lm_core.experiments.order_matters.sentiment import LSTM
from lm_core.experiments.published import SENTIMENT, PublishedClassifier
from pages.order_matters.accuracies_chart import accuracy_bars
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE
from pages.shared.numbers import percent

_TITLES = {
    BAG: "bag of words",
    WINDOW: "window of 3 words",
    LSTM: "LSTM",
    PRETRAINED: "encoder of one novel",
}
_COLOURS = dict(zip(CLASSIFIERS, (GREY, GREEN, BLUE, PURPLE), strict=True))


def draw_accuracies(screen: page.FirstScreen, results: SentimentResults) -> None:
    """Draw the accuracies, and ask how many verdicts turn round when the words are shuffled."""
    turned = {name: 100 * _mean(results, name, "turned") for name in CLASSIFIERS}
    asked = page.ask(
        screen,
        "verdicts_turned",
        "The words of each held-out review are shuffled. Of 100 verdicts of the LSTM, how many turn round?",
        {"None": 0.0, "About 4": 4.0, "About 20": 20.0, "About 50": 50.0},
        right=turned[LSTM],
        reason=lambda _: _reason(turned),
    )
    rows = [_row(results, name, hides=asked.masks) for name in CLASSIFIERS]
    frame = pd.DataFrame([*rows, *map(_published_row, SENTIMENT)])
    with screen.picture:
        page.show_chart(
            accuracy_bars(frame),
            frame.drop(columns="colour"),
            key="sentiment_accuracies",
            alt="; ".join(
                f"{model} {percent(share, 1)}"
                for model, share in zip(frame["model"], frame["accuracy"], strict=True)
            ),
            name="sentiment",
        )
    page.note_beside(screen, _said(results))


def _mean(results: SentimentResults, name: str, field: str) -> float:
    return fmean(getattr(score, field) for score in results.scores_of(name))


def _row(results: SentimentResults, name: str, *, hides: bool) -> dict[str, object]:
    found = [score.as_written for score in results.scores_of(name)]
    return {
        "model": _TITLES[name],
        "accuracy": fmean(found),
        "low": min(found),
        "high": max(found),
        "shuffled": None if hides else _mean(results, name, "shuffled"),
        "colour": _COLOURS[name],
        "source": "this lab",
    }


def _published_row(figure: PublishedClassifier) -> dict[str, object]:
    return {
        "model": figure.title,
        **dict.fromkeys(("accuracy", "low", "high"), figure.accuracy),
        "shuffled": None,
        "colour": ORANGE,
        "source": figure.document,
    }


def _reason(turned: dict[str, float]) -> str:
    return (
        f"**{turned[LSTM]:.1f} of 100** turn round; of the window {turned[WINDOW]:.1f}, of the bag of words none."
        " The LSTM could use the order, but it learned to hardly use it, probably because single words such as"
        " *dull* and *wonderful* tell most of the sentiment already."
    )


def _said(results: SentimentResults) -> str:
    bag, window, lstm, tuned = (_mean(results, name, "as_written") for name in CLASSIFIERS)
    seeds = len(results.scores_of(BAG))
    judged = seeds * results.held_out
    noise = (bag * (1 - bag) / judged) ** 0.5
    return (
        f"Each bar is the mean of {seeds} trainings, each with another tenth of {results.reviews:,} sentences held"
        " out; the thin line is their range, and the circle the accuracy once the words are shuffled. Bag, window"
        f" and LSTM have {percent(bag, 1)}, {percent(window, 1)} and {percent(lstm, 1)}: too close to tell apart,"
        f" because {judged:,} sentences leave a standard error of {percent(noise, 1)}. The encoder has"
        f" {percent(tuned, 1)}: it read one novel and no reviews before, and was tuned for less than one pass, so that"
        " it fits into a few minutes. Kim's CNN was published in 2014 and reads windows, too; with pretrained"
        " vectors it is ahead, likely because these come from much more text, so it knows words that the reviews"
        " rarely show."
    )
