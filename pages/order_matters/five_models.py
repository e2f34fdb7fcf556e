"""Five models of growing memory learn two sentences, and not all can tell what comes."""

import pandas as pd

from lm_core.experiments.neural_language_model.sentences import SentenceCorpus
from lm_core.experiments.order_matters import models
from lm_core.experiments.order_matters import sentences as texts
from lm_core.experiments.order_matters.models import MODELS
from lm_core.experiments.order_matters.sentences import AS_WRITTEN, TWO_SENTENCES
from pages.order_matters.learned import Settings, probabilities_of
from pages.order_matters.own_sentences import OWN, choose_sentences
from pages.shared import page
from pages.shared.charts.comparisons import share_pairs
from pages.shared.charts.palette import BLUE, GREEN, GREY, ORANGE, PURPLE
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_COLOURS = dict(zip(MODELS, (GREY, ORANGE, GREEN, BLUE, PURPLE), strict=True))
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
        if not asked.masks:
            _dots(given(), right, chosen)
        if asked.masks or not page.is_presenting():  # a projector has room for one of both
            _table(corpus, read, chosen.window, {} if asked.masks else given())
    page.note_beside(
        screen,
        "All five learn both sentences at once. The table shows what each of them reads, because its prediction can"
        " depend on nothing else: in braces, the words stand without their order. Put enough words in between, and"
        " the window fails, because what decides has left it. Shuffle what is read, and the bag does not notice, because"
        " a sum does not depend on the order of what is added.",
    )
    if not asked.masks and chosen.order != AS_WRITTEN:
        page.note_beside(screen, _moved(given(), right))


def _failing(given: dict[str, tuple[float, float]]) -> list[str]:
    return [name for name, (written, _) in given.items() if written < _KNOWS]


def _reason(given: dict[str, tuple[float, float]], right: str) -> str:
    failing = _failing(given)
    shares = ", ".join(f"{name} {percent(written)}" for name, (written, _) in given.items())
    said = f"They give *{escaped(right)}*: {shares}. "
    if not failing:
        return said + "**All can tell**, because what decides is in what each of them reads."
    return said + " ".join(_WHY[name] for name in failing)


def _dots(given: dict[str, tuple[float, float]], right: str, chosen: Settings) -> None:
    names = {name: _title(name, chosen.window) for name in MODELS}
    frame = pd.DataFrame(
        [
            {"model": names[name], "first": first, "second": second, "colour": _COLOURS[name]}
            for name, (first, second) in given.items()
        ]
    )
    page.show_chart(
        share_pairs(frame, title=f"probability of {right}: filled as written, hollow as read now"),
        frame.drop(columns="colour"),
        key="order_probabilities",
        alt="; ".join(
            f"{names[name]}: {percent(first)} as written, {percent(second)} {chosen.order}"
            for name, (first, second) in given.items()
        ),
        name="order-matters",
    )


def _table(
    corpus: SentenceCorpus,
    read: tuple[int, ...],
    window: int,
    given: dict[str, tuple[float, float]],
) -> None:
    words = tuple(corpus.words[i] for i in read)
    rows = [
        (
            escaped(_title(name, window)),
            escaped(models.read_by(name, words, window)),
            percent(given[name][1]) if given else "?",
        )
        for name in MODELS
    ]
    page.show_rows(("model", "reads", "right word"), rows, sideways="order_reads")


def _title(name: str, window: int) -> str:
    return f"window of {window}" if name == models.WINDOW else name


def _moved(given: dict[str, tuple[float, float]], right: str) -> str:
    """Say which model did not notice the new order, and which noticed most."""
    most = max(given, key=lambda name: abs(given[name][1] - given[name][0]))
    first, second = given[most]
    return (
        f"In the new order the bag of words gives *{escaped(right)}* {percent(given[models.BAG][1])} as before, exactly,"
        " because it adds up the same words. Most has changed for the model called"
        f" *{most}*: {percent(first)} became {percent(second)}. It never read the words in this order, so nothing in its"
        " training says what it should expect then."
    )
