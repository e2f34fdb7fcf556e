"""How many words may stand between subject and verb."""

from lm_core.experiments.minimal_pairs.our_pairs import (
    BETWEEN,
    DISTANCES,
    NO_NOUN,
    OTHER,
    SAME,
    pairs_apart,
)
from lm_core.experiments.minimal_pairs.results import ApartScore, MinimalPairResults
from pages.minimal_pairs.models import choose_models, scored_titles, short_title, styles_of
from pages.shared import page
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_LONGEST = DISTANCES[-1]
_ANSWERS = {
    "About 95 %": 0.95,
    "About 75 %": 0.75,
    "About 50 %, as by chance": 0.5,
    "About 25 %": 0.25,
}
_WHY = {
    OTHER: "The noun in between has the number of the wrong verb and stands next to it. So a model that looks at"
    " the last words alone falls below chance, and only one that still knows the subject stays above.",
    SAME: "The noun in between has the same number as the subject, so a model that looks at the last"
    " words alone gets the verb right without knowing the subject. That looks like grammar and is none.",
    NO_NOUN: "Nothing near the verb says its number, so a model must carry it from the subject. One that"
    " has lost it is left with the form that is more frequent, which is right in half of the pairs.",
}


def apart(screen: page.FirstScreen) -> None:
    """Draw how many verbs each model gets right, by the number of words between subject and verb."""
    results = page.shipped(MinimalPairResults)
    with screen.controls:
        between = page.choice("between", "Between subject and verb", BETWEEN, OTHER, width=270)
    titles = scored_titles()
    with page.more(screen):
        models = choose_models(titles)
    scores = {name: results.by_distance(name, between) for name in models}
    best = models[-1]
    asked = _ask(screen, best, escaped(titles[best]), between, scores[best][-1])
    names = {short_title(name): found for name, found in scores.items()}
    with screen.picture:
        page.show_lines(
            f"pairs_apart_{between.replace('-', '_')}",
            {t: [(float(s.words), s.right) for s in found] for t, found in names.items()},
            styles_of(models),
            page.Axis("words between subject and verb", (0.0, float(_LONGEST)), values=DISTANCES),
            page.Axis("pairs that it gets right", (0.0, 1.0), form=".0%"),
            hidden=asked.hides(short_title(best)),
            bands={
                t: [
                    (float(s.words), s.right - s.standard_error, s.right + s.standard_error)
                    for s in found
                ]
                for t, found in names.items()
            },
            references={"chance": [(0.0, 0.5), (float(_LONGEST), 0.5)]},
            guess=asked.at(lambda value: (float(_LONGEST), value)),
            waiting=asked.waiting(short_title(best), float(_LONGEST)),
            has_points=True,
        )
    longest, shortest = (pairs_apart(between, words)[0] for words in (_LONGEST, DISTANCES[1]))
    page.note_beside(
        screen,
        f"An example with {_LONGEST} words between: *{escaped(longest.good)}* With {DISTANCES[1]}:"
        f" *{escaped(shortest.good)}* The other sentence of each pair has the verb of the other number,"
        " so that nothing else can decide.",
    )
    if not asked.masks:
        page.note_beside(
            screen,
            f"{_WHY[between]} A band is one standard error, from the number of pairs. The true error"
            f" is larger, because all pairs are made of {len(pairs_apart(NO_NOUN, 0)) // 3} subjects and three verbs.",
        )


def _ask(
    screen: page.FirstScreen, best: str, title: str, between: str, longest: ApartScore
) -> page.Asked[float]:
    return page.ask(
        screen,
        f"apart_{best}_{between}".replace("-", "_"),
        f"With {_LONGEST} words between subject and verb ({BETWEEN[between]}), how many verbs does"
        f" {title} get right?",
        _ANSWERS,
        right=longest.right,
        reason=f"**{percent(longest.right)}** of {longest.n_pairs} pairs, where chance is {percent(0.5)}.",
    )
