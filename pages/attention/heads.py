"""All heads at once: small pictures, their patterns, and one number for each of them."""

from collections.abc import Iterable
from functools import partial

import numpy as np
import pandas as pd
import pyarrow as pa
import streamlit as st

from lm_core.analysis.head_ablation import AblationCosts
from lm_core.analysis.head_patterns import HeadPattern
from lm_core.errors import ResultError
from lm_core.experiments.attention.head_scores import HeadScores
from pages.attention import traces
from pages.attention.patterns import clear_patterns, clear_patterns_on_the_book
from pages.attention.settings import described
from pages.shared import page
from pages.shared.charts.attention import heads_chart, heads_table
from pages.shared.components.attention import data_popover, head_pictures
from pages.shared.csv_files import safe_csv
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import percent, written
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.messages import show_error

SHORT = {
    "itself": "itself",
    "previous token": "before",
    "first token": "first",
    "start of the word": "start",
    "end of the word before": "gap",
    "start of the sentence": "sentence",
    "same token earlier": "same",
    "token after the same token": "after same",
    "token after the same two tokens": "after same 2",
    "name of a pronoun": "name",
    "opening quote": "quote",
}
"""Names that fit under a small picture."""

_COST = "Loss without it"
_MEASURES = {
    "Entropy": ("entropy", "mean entropy of a row, bits", ".1f"),
    "Peak": ("peak", "mean of a row's largest weight", ".0%"),
    "First token": ("first", "mean weight on the first token", ".0%"),
    _COST: ("", "rise of the mean loss, nats per token", "+.3f"),
}
_OF_A_PATTERN = {
    "Score": "share",
    "Shuffled": "shuffled_share",
    "Uniform attention": "uniform_share",
}
_BOOK, _HERE, _GENERATED = "the book", "this sentence", "a generated text"
_SHOWN = 12


# Small pictures -------------------------------------------------------------------------------


def all_heads(choice: traces.Choice) -> None:
    """Draw the small pictures; a click chooses the head that everything below shows."""
    config, heads = choice.sentence.config, choice.heads
    patterns = clear_patterns(choice.sentence)
    is_ablated = [
        [
            (i, j) in choice.intervention.heads or i in choice.intervention.layers
            for j in range(config.heads)
        ]
        for i in range(config.layers)
    ]
    changes = described(choice.intervention)
    head_pictures(
        heads.shades,
        (config.layers, config.heads, len(choice.sentence.symbols)),
        key="all_heads",
        chosen=(choice.layer, choice.head),
        names=[
            [f"{SHORT[p.pattern]} {percent(p.share)}" if p else "" for p in row] for row in patterns
        ],
        notes=[
            [_note(here, on_the_book) for here, on_the_book in zip(*rows, strict=True)]
            for rows in zip(patterns, clear_patterns_on_the_book(choice.sentence), strict=True)
        ],
        is_ablated=is_ablated,
        is_causal=choice.is_causal,
        label=f"All {config.layers * config.heads} heads{f' ({changes})' if changes else ''}",
        name="attention-all-heads",
        on_choose=_choose_head,
    )


def heads_data(choice: traces.Choice) -> None:
    """Fold away the numbers of all heads."""
    data_popover(
        partial(_table, choice),
        key="all_heads_data",
        name="heads",
        more={"weights": partial(weights_csv, choice)},
    )


def _choose_head(place: list[int]) -> None:
    st.session_state["layer"], st.session_state["head"] = place[0] + 1, place[1] + 1


def _note(here: HeadPattern | None, on_the_book: HeadPattern | None) -> str:
    """Return what a head attends to: on the sentence if that is clear, or else on the book."""
    if here:
        return f"{here.pattern} {percent(here.share)}"
    if on_the_book:
        return f"on the book: {on_the_book.pattern} {percent(on_the_book.share)}"
    return "no clear pattern"


def _table(choice: traces.Choice) -> pd.DataFrame:
    heads = choice.heads
    return pd.DataFrame(
        {
            "layer": i + 1,
            "head": j + 1,
            "pattern": pattern.pattern if pattern else "",
            "share": pattern.share if pattern else None,
            "entropy, bits": heads.entropy[i, j],
            "peak": heads.peak[i, j],
            "first token": heads.first[i, j],
        }
        for i, row in enumerate(clear_patterns(choice.sentence))
        for j, pattern in enumerate(row)
    )


def weights_csv(choice: traces.Choice) -> str:
    """Return the weights of all heads from one thousandth on, as the model computes them."""
    weights = choice.trace.weights
    places = (weights >= 0.001).nonzero()
    frame = pd.DataFrame(places.numpy(), columns=["layer", "head", "query", "key"])
    frame[["layer", "head"]] += 1
    frame["weight"] = weights[tuple(places.T)].numpy().round(5)
    return safe_csv(frame)


# One number for each head ---------------------------------------------------------------------


def one_number_a_head(choice: traces.Choice) -> None:
    """Draw a chosen measure of every head."""
    st.header("One number for each head", anchor=False)
    measure = page.segments(
        "measure",
        "Measure",
        list(_MEASURES),
        "Entropy",
        help=f"{_COST}: the model reads the sentence once for each head, with that head ablated.",
    )
    field, title, form = _MEASURES[measure]
    costs = traces.ablation_costs(choice) if measure == _COST else None
    values = costs.heads.numpy() if costs else getattr(choice.heads, field)
    table = heads_table(values, (choice.layer, choice.head))
    finding = _costly(costs) if costs else _extremes(measure, values, form)
    left, right = st.columns([1.6, 1], gap="medium")
    with left:
        show_chart(
            heads_chart(table, title=title, written=form),
            table,
            key=f"heads_{field or 'cost'}",
            alt=f"{title} of each head, layers down and heads across. {finding}",
            name=f"heads-{field or 'cost'}",
        )
    with right:
        st.markdown(finding)


def _extremes(measure: str, values: np.ndarray, form: str) -> str:
    low, high = (
        tuple(map(int, np.unravel_index(f(values), values.shape))) for f in (np.argmin, np.argmax)
    )
    return (
        f"{measure} runs from {written(values[low], form)} in head {_name(low)} to"
        f" {written(values[high], form)} in head {_name(high)}. A row with all its weight on one"
        " key has an entropy of 0 bits and a peak of 100 %. A row with equal weights on n keys has"
        " log2(n) bits, so with the mask later rows can have more."
    )


def _costly(costs: AblationCosts) -> str:
    heads = costs.heads.numpy()
    order = np.argsort(-heads, axis=None)[:3]
    first = ", ".join(
        f"**{_name(place)}** ({heads[place]:+.3f})"
        for place in (np.unravel_index(i, heads.shape) for i in order)
    )
    n_idle = int((heads < 0.01).sum())
    layers = ", ".join(f"{i} {cost:+.2f}" for i, cost in enumerate(costs.layers.tolist(), 1))
    return (
        f"This sentence needs head {first} most. Switch off one head at a time: for {n_idle} of"
        f" {heads.size} the loss rises by less than 0.01 nats, because other heads replace them or"
        f" because this sentence does not need them. Whole layers: {layers}."
    )


def _name(place: tuple[int, ...]) -> str:
    return f"{place[0] + 1}.{place[1] + 1}"


# Patterns -------------------------------------------------------------------------------------


@fragment
def head_patterns(here: Sentence) -> None:
    """Draw what the heads attend to: the best head of each pattern on the book, or each head on a text."""
    st.header("Head patterns", anchor=False)
    where = page.segments("patterns_on", "Measured on", (_BOOK, _HERE, _GENERATED))
    if where == _BOOK:
        _on_the_book(here)
        return
    sentence = here if where == _HERE else traces.generated_by(here)
    best: dict[tuple[int, int], HeadPattern] = {}
    for pattern in traces.patterns_of(sentence):
        best.setdefault((pattern.layer, pattern.head), pattern)
    _table_of_patterns(list(best.values())[:_SHOWN])
    if where == _GENERATED:
        with st.expander(f"The text: {len(sentence.symbols)} {sentence.vocabulary.unit}s"):
            st.text(sentence.text)


def _on_the_book(here: Sentence) -> None:
    """Draw the best head of each pattern, and how sharp the heads are."""
    try:
        scores = traces.scores_on_the_book(here.meta)
    except ResultError as error:
        show_error(error, st.info)
        return
    if scores is None:
        st.info("This snapshot was not scored on the book: choose another, or another text.")
        return
    names = dict.fromkeys(pattern.pattern for pattern in scores.patterns)
    best = [found for name in names if (found := scores.best(name))]
    _table_of_patterns(sorted(best, key=lambda p: -p.excess))
    first, second = scores.repetition_losses
    entropy, largest = np.array(scores.entropy_bits), np.array(scores.largest_scores)
    st.markdown(
        "An *induction head* attends to what followed the same token earlier, so it can predict"
        " the rest of a repetition. When this model reads random tokens twice, its loss is"
        f" **{first:.2f}** nats a token the first time and **{second:.2f}** the second:"
        f" {_learned_from_repetition(first, second)} Its heads have a mean entropy of"
        f" **{entropy.mean():.2f} bits** ({entropy.min():.2f} to {entropy.max():.2f}), and the"
        f" largest scaled score is **{largest.max():.1f}**."
    )
    fold = st.expander("Every head", key="every_head", on_change="rerun")
    draw_when_open(fold, partial(_tables_of_every_head, scores, names))


def _tables_of_every_head(scores: HeadScores, patterns: Iterable[str]) -> None:
    for tab, field in zip(st.tabs(list(_OF_A_PATTERN)), _OF_A_PATTERN.values(), strict=True):
        with tab:
            st.dataframe(
                _every_head(scores, field).style.format(
                    dict.fromkeys(patterns, partial(percent, decimals=1))
                    | {"entropy, bits": "{:.2f}", "largest score": "{:.1f}"},
                    na_rep="",
                ),
                hide_index=True,
            )


def _every_head(scores: HeadScores, field: str) -> pd.DataFrame:
    """Return a row for each head: its sharpness, and one number for each pattern."""
    rows = [
        {"head": _name((i, j)), "entropy, bits": entropy, "largest score": largest}
        for i, of_layer in enumerate(zip(scores.entropy_bits, scores.largest_scores, strict=True))
        for j, (entropy, largest) in enumerate(zip(*of_layer, strict=True))
    ]
    by_name = {row["head"]: row for row in rows}
    for pattern in scores.patterns:
        by_name[_name((pattern.layer, pattern.head))][pattern.pattern] = getattr(pattern, field)
    return pd.DataFrame(rows)


def _learned_from_repetition(first: float, second: float) -> str:
    saved = 1.0 - second / first
    if saved < 0.05:
        return "so it hardly uses the repetition."
    return f"{percent(saved)} less, because it can copy what it has read before."


def _table_of_patterns(patterns: list[HeadPattern]) -> None:
    """Write some heads' patterns as a table, the clearest first, and quote the first of them."""
    first = patterns[0]
    target = "token itself" if first.pattern == "itself" else first.pattern
    st.markdown(
        f"Head **{first.layer + 1}.{first.head + 1}** gives **{percent(first.share)}** of its"
        f" attention to the {target}. Uniform attention would give {percent(first.uniform_share)}"
        f" (mean over {first.n_tokens:,} tokens, model as trained). Nearness alone could explain a"
        " high share, so as a control (*shuffled*) we measure the same head on a token equally far"
        " back that is no such target. If it gets as much, the head looks at a distance, not at"
        " this kind of token. Where the pattern is a position, the control is a random token."
    )
    table = pa.table(
        {
            "head": [f"{p.layer + 1}.{p.head + 1}" for p in patterns],
            "attends to": [p.pattern for p in patterns],
            "score": [percent(p.share) for p in patterns],
            "shuffled": [_share(p.shuffled_share) for p in patterns],
            "uniform attention": [percent(p.uniform_share) for p in patterns],
            "tokens": [p.n_tokens for p in patterns],
        }
    )
    st.dataframe(table, hide_index=True, height="content")


def _share(share: float | None) -> str:
    return "" if share is None else percent(share)
