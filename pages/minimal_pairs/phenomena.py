"""The benchmark by phenomenon: models of the lab beside the paper's, and beside people."""

import pyarrow as pa
import streamlit as st

from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    PUBLISHED_OVERALL,
    MeanShare,
    MinimalPairResults,
    Published,
)
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM
from lm_core.text.catalogue import WAR_AND_PEACE
from pages.minimal_pairs.models import STEPS_OF, scored_titles, short_title, styles_of, titles
from pages.minimal_pairs.phenomena_chart import phenomena_dots
from pages.shared import page
from pages.shared.charts.drawing import table_of_rows
from pages.shared.models.book_models import has_read
from pages.shared.numbers import percent
from pages.shared.ui.markdown import escaped

_TITLES = {
    "ngram": "paper: 5-gram",
    "lstm": "paper: LSTM",
    "transformer_xl": "paper: Transformer-XL",
    "gpt2": "paper: GPT-2",
    "people": "one person",
}
_HAVE_READ = {
    "ngram": "3 billion words of news",
    "lstm": "83 million words of Wikipedia",
    "transformer_xl": "103 million words of Wikipedia",
    "gpt2": "40 GB of web pages",
    "people": "",
}
"""From the paper."""
_SHOWN = ("ngram", "gpt2", "people")
_ASKED = (
    "anaphor_agreement",
    "determiner_noun_agreement",
    "subject_verb_agreement",
    "island_effects",
)


def by_phenomenon(screen: page.FirstScreen) -> None:
    """Draw how many pairs of each phenomenon two models of the lab, the paper's and people get right."""
    results = page.shipped(MinimalPairResults)
    offered = scored_titles()
    with screen.controls:
        model = page.choice("model", "Model", offered, list(offered)[-1], width=290)
    with page.more(screen):
        others = {name: title for name, title in offered.items() if name != model}
        start = STEPS_OF if STEPS_OF in others else None
        rival = page.choice("rival", "compared with", others, start, width=290)
        published = page.several("published", "From the paper", _TITLES, _SHOWN)
    found = results.by_phenomenon(model)
    asked = _ask(screen, model, found)
    shown = [name for name in (model, rival) if not (name == model and asked.masks)]
    ours = {_mark(name): results.by_phenomenon(name) for name in shown}
    table = _table(ours, published)
    styles = styles_of(shown)
    marks = {_mark(name): styles[short_title(name)] for name in shown}
    with screen.picture:
        page.show_chart(
            phenomena_dots(table, marks, columns=2 if page.is_presenting() else 1),
            key="pairs_by_phenomenon",
            alt="; ".join(
                f"{row['phenomenon']}, {row['who']}: {percent(row['right'])}"
                for row in table.to_pylist()
            ),
            name="minimal-pairs-by-phenomenon",
        )
    if not asked.masks:
        whole = results.overall(model)
        found = results.by_phenomenon(model)
        worst, *_, best = (PHENOMENA[n] for n in sorted(found, key=lambda name: found[name].right))
        page.note_beside(
            screen,
            f"Over all 67 kinds of pairs it gets **{percent(whole.right, 1)}** ± {percent(whole.standard_error, 1)}"
            f" right, where chance is {percent(0.5)}, GPT-2 has {percent(PUBLISHED_OVERALL.gpt2, 1)} and a person"
            f" {percent(PUBLISHED_OVERALL.people, 1)}. It gets most of *{best}* right and fewest of *{worst}*."
            " Islands are hard for all models, likely because they need the structure of the whole sentence.",
        )
    page.below(
        "Who has read what, and all numbers", "pairs_overall", _overall, results, icon="table_chart"
    )


def _mark(name: str) -> str:
    """Return what a model's marks are called, in few letters: the legend must fit on a phone."""
    return short_title(name).removeprefix("transformer, ")


def _ask(screen: page.FirstScreen, model: str, found: dict[str, MeanShare]) -> page.Asked[str]:
    answers = {PHENOMENA[name]: name for name in _ASKED if name in found}
    least = min(answers, key=lambda title: found[answers[title]].right)
    shares = ", ".join(f"{title} {percent(found[name].right)}" for title, name in answers.items())
    return page.ask(
        screen,
        f"phenomena_{model}".replace("-", "_"),
        f"In which of these does {escaped(titles()[model])} get the fewest pairs right?",
        answers,
        right=least,
        reason=f"**{least}**: {shares}.",
    )


def _table(ours: dict[str, dict[str, MeanShare]], published: list[str]) -> pa.Table:
    """Return a row for each phenomenon and each of those who judged it, the easiest for people first."""
    names = {name: title.partition(" (")[0] for name, title in PHENOMENA.items()}
    order = sorted(PHENOMENA, key=lambda name: -PUBLISHED[name].people)
    rows = [
        (names[name], title, shares[name].right, place)
        for place, name in enumerate(order)
        for title, shares in ours.items()
        if name in shares
    ]
    rows += [
        (names[name], _TITLES[who], getattr(PUBLISHED[name], who), place)
        for place, name in enumerate(order)
        for who in Published._fields
        if who in published
    ]
    return table_of_rows(("phenomenon", "who", "right", "place"), rows)


def _has_read(name: str) -> str:
    return WAR_AND_PEACE.title if name == UNIGRAM else has_read(name)


def _overall(results: MinimalPairResults) -> None:
    """Draw all models in the order of what they get right, with what they have read."""
    rows: list[tuple[str, str, float, float | None]] = [
        (title, _has_read(name), results.overall(name).right, results.overall(name).standard_error)
        for name, title in scored_titles().items()
    ]
    rows += [
        (_TITLES[who], _HAVE_READ[who], getattr(PUBLISHED_OVERALL, who), None)
        for who in Published._fields
    ]
    rows.sort(key=lambda row: -row[2])
    st.dataframe(
        table_of_rows(("model", "has read", "right", "±"), rows),
        hide_index=True,
        height="content",
        column_config={
            name: st.column_config.NumberColumn(format="percent") for name in ("right", "±")
        },
    )
    n_pairs = max(score.n_pairs for score in results.scores)
    st.markdown(
        f"BLiMP (Warstadt et al. 2020) has 67 kinds of pairs, made by rules; here are the first {n_pairs:,} of each."
        " *±* is the standard error that comes from their number. If both sentences have the same score, the pair"
        f" counts half: otherwise a model that cannot tell them apart, such as the {titles()[UNIGRAM]} where only"
        " the order differs, would look good at grammar. People agree on about 96 % of the pairs by majority."
        " The published models have read far more than ours, so nothing follows about their kinds. The"
        " pairs do not come with the lab, and nothing was trained on them or chosen by them."
    )
