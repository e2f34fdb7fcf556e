"""Five models of growing memory learn two sentences, and not all can tell what comes."""

import textwrap

import pandas as pd

from lm_core.experiments.order_matters import models
from lm_core.experiments.order_matters import sentences as texts
from lm_core.experiments.order_matters.models import MODELS
from lm_core.experiments.order_matters.sentences import AS_WRITTEN, TWO_SENTENCES
from pages.order_matters.learned import RESTORED, Settings, probabilities_of
from pages.order_matters.own_sentences import OWN, choose_sentences
from pages.shared import page
from pages.shared.charts.comparisons import share_pairs
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_COLOURS = dict(zip(MODELS, (GREY, ORANGE, GREEN, BLUE, PURPLE), strict=True))
_LINE = 24  # characters of what is read, in one line below a name
_KNOWS = 0.75
"""Probability of the right word from which on a model counts as one that can tell: halfway from a guess between
two words to certainty."""
_COUNTS = {"None of them": 0, "One": 1, "Two": 2, "Three": 3, "Four": 4, "All five": 5}
_WHY = {
    models.BAG: "The *bag of words* fails where both beginnings have the same words, because it reads the same counts.",
    models.BIGRAM: "The *bigram* fails where the last word is the same, because it reads nothing else.",
    models.WINDOW: "The *window* fails where the words in it are the same in both, because what decides lies before it.",
    models.RNN: "The *RNN* reads every word, but has not learned to keep what decides, likely because the gradient has to come"
    " back through as many steps as words follow. More steps of training, under *More*, may do it.",
    models.ATTENTION: "*Attention* reads every word directly, so nothing has to be kept on the way, but here it has not"
    " learned where to look. Another seed or more steps may do it.",
}


def bag_window_memory(screen: page.FirstScreen) -> None:
    """Draw the probability of the right word for five models, as it was learned and in another order."""
    pair, sentences = choose_sentences(screen)
    chosen = page.controls(Settings, screen)
    corpus = texts.words_put_between(texts.corpus_of(*sentences), chosen.between)
    before, word = texts.word_that_tells(corpus, chosen.asked_sentence)
    read = texts.in_order(before, chosen.order, chosen.order_seed)
    right = corpus.words[word]
    names = _names(tuple(corpus.words[i] for i in read), chosen.window)
    found: dict[str, tuple[float, float]] = {}

    def given() -> dict[str, tuple[float, float]]:
        if not found:
            found.update(probabilities_of(sentences, chosen, before, read, word))
        return found

    asked = page.ask(
        screen,
        f"memory_{list(TWO_SENTENCES).index(pair) if pair != OWN else 'own'}_{chosen.between}_{chosen.window}",
        f"Of these five models, how many cannot tell that *{escaped(right)}* comes after"
        f" *{escaped(' '.join(corpus.words[i] for i in before))}*?",
        _COUNTS,
        right=lambda: len(_failing(given())),
        reason=lambda _: _reason(given(), right),
    )
    with screen.picture:
        if asked.masks:
            untrained = probabilities_of(
                sentences, chosen._replace(order_steps=0), before, read, word
            )
            _dots(untrained, f"probability of {right} before the training", names)
        else:
            order = "" if chosen.order == AS_WRITTEN else ", hollow as read now"
            _dots(given(), f"probability of {right}{order}", names)
    page.note_beside(
        screen,
        "All five learn both sentences at once. Below its name stands what a model reads, because its prediction can"
        " depend on nothing else: in braces, the words stand without their order. Put enough words in between, and"
        " the window fails, because what decides has left it. Shuffle what is read, and the bag does not notice, because"
        " a sum does not depend on the order of what is added.",
    )
    if not asked.masks and chosen.order != AS_WRITTEN:
        begins = [sentence[: len(read)] for sentence in corpus.sentences]
        page.note_beside(
            screen, RESTORED if read == before else _moved(given(), right, read in begins)
        )


def _failing(given: dict[str, tuple[float, float]]) -> list[str]:
    return [name for name, (written, _) in given.items() if written < _KNOWS]


def _reason(given: dict[str, tuple[float, float]], right: str) -> str:
    failing = _failing(given)
    if not failing:
        return "**All can tell**, because what decides is in what each of them reads."
    whys = " ".join(_WHY[name] for name in failing)
    return f"**{len(failing)} of {len(given)}** cannot tell that it is *{escaped(right)}*. {whys}"


def _names(words: tuple[str, ...], window: int) -> dict[str, str]:
    """Return each model's name above what it reads."""
    names = {name: f"window of {window}" if name == models.WINDOW else name for name in MODELS}
    reads = {name: textwrap.wrap(models.read_by(name, words, window), _LINE) for name in MODELS}
    return {name: "\n".join([title, *reads[name]]) for name, title in names.items()}


def _dots(given: dict[str, tuple[float, float]], title: str, names: dict[str, str]) -> None:
    frame = pd.DataFrame(
        [
            {"model": names[name], "first": first, "second": second, "colour": _COLOURS[name]}
            for name, (first, second) in given.items()
        ]
    )
    said = (
        f"{names[name]}: {percent(first)} and {percent(second)}"
        for name, (first, second) in given.items()
    )
    page.show_chart(
        share_pairs(frame, title=title),
        frame.drop(columns="colour"),
        key="order_probabilities",
        alt=f"{title}. {'; '.join(said)}",
        name="order-matters",
    )


def _moved(given: dict[str, tuple[float, float]], right: str, is_known: bool) -> str:
    """Say which model did not notice the new order, and which noticed most."""
    most = max(given, key=lambda name: abs(given[name][1] - given[name][0]))
    first, second = given[most]
    return (
        f"In the new order the bag of words gives *{escaped(right)}* {percent(given[models.BAG][1])} as before, exactly,"
        " because it adds up the same words. Most has changed for the model called"
        f" *{most}*: {percent(first)} became {percent(second)}. "
        + (
            "It has read the words in this order, too: the other sentence begins so."
            if is_known
            else "It never read the words in this order, so nothing in its training says what it should expect then."
        )
    )
