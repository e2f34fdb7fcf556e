"""A word's nearest neighbours in both tables, and the numbers of one pair."""

import streamlit as st

from lm_core.analysis.word_space import Neighbour
from lm_core.experiments.published import WORD_LOSSES, WORD_NEIGHBOURS, WORD_VOCABULARY
from lm_core.experiments.word2vec.recipes import SNAPSHOT_WORDS
from pages.embeddings.vectors import (
    INPUT,
    OUTPUT,
    TABLES,
    Choice,
    Snapshot,
    choose_table,
    follow_click,
    is_skip_gram,
    mean_cosine,
    models,
    snapshots_of,
    space_of,
)
from pages.shared import charts
from pages.shared.charts import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.lesson import predict_then_reveal
from pages.shared.ui.playback import playback_bar

N = 10
_N, _LINES = 8, 5  # while it learned: neighbours listed, and words whose cosine is drawn
_LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY)
_PERCENT = Axis(
    "% of the training", (0.5, 100.0), is_logarithmic=True, values=(1.0, 3.0, 10.0, 30.0, 100.0)
)
"""The start, 0 %, is drawn at the left end."""

_COLOURS = {INPUT: BLUE, OUTPUT: ORANGE}


def neighbours_of(choice: Choice, table: str) -> list[Neighbour]:
    """Return the chosen word's nearest words in one of the tables."""
    meta = choice.meta
    return _neighbours(
        meta.name, meta.weights_sha256, table, choice.subtract_mean, choice.among, choice.word
    )


@st.cache_data(max_entries=1_024, show_spinner=False)
def _neighbours(
    name: str, weights_sha256: str, table: str, subtract_mean: bool, among: int | None, word: int
) -> list[Neighbour]:
    del weights_sha256  # part of the key
    space = space_of(models()[name], table, subtract_mean=subtract_mean)
    return space.nearest(space.unit([word])[0], N, exclude=[word], among=among)


def neighbours(choice: Choice) -> None:
    """Draw the neighbours in both tables side by side, then the pair's numbers and the mean."""
    for column, table in zip(st.columns(2, gap="medium"), TABLES, strict=True):
        with column:
            _one_table(choice, table)
    _explain(choice)
    _pair(choice)
    _mean(choice)


def what_it_is(choice: Choice, table: str) -> str:
    """Return in a few words which role of a word an embedding is for."""
    is_centre = (table == INPUT) == is_skip_gram(choice.meta)
    place = "the centre word" if is_centre else "a context word"
    return f"{place}, {'from which is predicted' if table == INPUT else 'which is predicted'}"


def _one_table(choice: Choice, table: str) -> None:
    found = neighbours_of(choice, table)
    words = [choice.vocabulary.words[each.id] for each in found]
    cosines = [each.cosine for each in found]
    counts = [choice.vocabulary.counts[each.id] for each in found]
    frame = charts.neighbour_frame(words, cosines, counts)
    finding = (
        f"{table.capitalize()}: nearest to {choice.name} is {words[0]}, cosine {cosines[0]:.3f}"
    )
    st.markdown(f"**{finding}**  \n{choice.name} as {what_it_is(choice, table)}")
    chosen = show_chart(
        charts.neighbour_bars(frame, _COLOURS[table], chosen=choice.other_name),
        frame,
        key=f"bars_{table}",
        alt=f"{finding}. Then "
        + ", ".join(f"{w} {c:.3f}" for w, c in zip(words[1:], cosines[1:], strict=True)),
        name=f"neighbours-{choice.name}-{table}",
        selectable=True,
    )
    follow_click(f"bars_{table}", charts.picked_word(chosen), "other")


def _explain(choice: Choice) -> None:
    both = {each.id for each in neighbours_of(choice, INPUT)} & {
        each.id for each in neighbours_of(choice, OUTPUT)
    }
    names = "Skip-gram predicts context words from the centre word"
    if not is_skip_gram(choice.meta):
        names = "CBOW predicts the centre word from its context words"
    st.markdown(
        f"Every word has two vectors: an *input embedding*, from which the model predicts, and an"
        f" *output embedding*, which is predicted. {names}. **{choice.name}** occurs"
        f" {choice.vocabulary.counts[choice.word]:,} times in the text; {len(both)} of its {N} nearest"
        " words are the same in both. Click a bar to compare."
    )
    if choice.name in WORD_NEIGHBOURS:
        context, centre = (
            ", ".join(f"{word} {cosine:.3f}" for word, cosine in listed)
            for listed in WORD_NEIGHBOURS[choice.name]
        )
        st.caption(
            f"Published for {choice.name}: input (context) {context}; output (centre) {centre}.",
            help=f"Lecture slides, part 2: CBOW trained on WikiText-2, 300 numbers for each of"
            f" {WORD_VOCABULARY:,} words. Its loss fell from {WORD_LOSSES[0]:.3f} nats in the first of"
            f" {len(WORD_LOSSES)} passes to {WORD_LOSSES[-1]:.3f} in the last.",
        )


def _pair(choice: Choice) -> None:
    if choice.other is None:
        return
    st.subheader(f"The cosine of {choice.name} and {choice.other_name}", anchor=False)
    for column, table in zip(st.columns(2, gap="medium"), TABLES, strict=True):
        numbers = choice.space(table).pair(choice.word, choice.other)
        a, b = numbers.lengths
        with column:
            st.latex(
                rf"\begin{{aligned}} \cos_{{\text{{{table}}}}}(a, b) &= \frac{{a \cdot b}}"
                rf"{{\lVert a \rVert\, \lVert b \rVert}} \\[8pt] &= \frac{{{numbers.dot:.3f}}}"
                rf"{{{a:.3f} \cdot {b:.3f}}} = \mathbf{{{numbers.cosine:.3f}}} \end{{aligned}}"
            )
    width = choice.space().vectors.shape[1]
    st.markdown(
        f"*a* is the vector of {choice.name}, *b* that of {choice.other_name}, {width} numbers each."
        " *a · b* adds up the products of their numbers, and dividing by both lengths leaves the angle."
        " A cosine of 1 is the same direction, 0 a right angle, −1 the opposite."
    )


def _mean(choice: Choice) -> None:
    prediction = predict_then_reveal(
        "mean",
        "Two random words of the vocabulary: how large is the cosine of their vectors on average?",
        (
            "About 0 in both embeddings",
            "Far above 0 in at least one",
            "Below 0 in at least one",
        ),
    )
    if not prediction.revealed:
        return
    parts = []
    for table in TABLES:
        plain, centred = (
            mean_cosine(choice.meta, table, subtract_mean=without) for without in (False, True)
        )
        parts.append(f"*{table}* **{plain:.3f}**, without the mean {centred:.3f}")
    st.markdown(
        f"The mean cosine of two random words is: {'; '.join(parts)}. What all vectors have in common"
        " says nothing about any of them, but it raises all cosines. So a cosine of one embedding"
        " cannot be compared with one of the other. **Subtract the mean** removes the common part."
        " Some programs do so silently; here it is off unless you turn it on."
    )
    st.markdown(_with_and_without(choice))


def _with_and_without(choice: Choice) -> str:
    """Say what the mean does to the chosen word's neighbours and to the chosen pair."""
    sentences = []
    for table in TABLES:
        same = _same_neighbours(choice, table)
        text = f"*{table}*: {same} of {N} neighbours of {choice.name} stay the same"
        if choice.other is not None:
            plain, centred = (
                space_of(choice.meta, table, subtract_mean=without)
                .pair(choice.word, choice.other)
                .cosine
                for without in (False, True)
            )
            text += (
                f", and its cosine with {choice.other_name} goes from {plain:.3f} to {centred:.3f}"
            )
        sentences.append(text)
    return f"Without the mean, {'; '.join(sentences)}."


def _same_neighbours(choice: Choice, table: str) -> int:
    plain, centred = (
        {each.id for each in neighbours_of(choice._replace(subtract_mean=without), table)}
        for without in (False, True)
    )
    return len(plain & centred)


# While it learned -----------------------------------------------------------------------------


@fragment
def over_time(choice: Choice) -> None:
    """Draw the neighbours of a snapshot, and the cosines of the last ones over all snapshots."""
    table = choose_table()
    snapshots = snapshots_of(choice.meta, table)
    size = len(snapshots[-1].space.vocabulary)
    if len(snapshots) < 2:
        st.info("This model has no snapshots: only the end of its training was saved.")
        return
    if choice.word >= size:
        st.info(
            f"The snapshots hold the {size:,} most frequent words, and **{choice.name}** is not among"
            " them. Choose a more frequent word."
        )
        return
    st.caption(
        f"Neighbours are searched among the {min(SNAPSHOT_WORDS, size):,} most frequent words, which"
        " each snapshot holds; the mean is not subtracted."
    )
    playback_bar(
        "snapshot",
        len(snapshots),
        lambda step: _snapshot(choice, table, snapshots, step),
        label="Snapshot",
        start=len(snapshots) - 1,
        seconds_per_step=0.8,
    )


def _snapshot(choice: Choice, table: str, snapshots: list[Snapshot], step: int) -> None:
    left, right = st.columns([1, 1.25], gap="medium")
    with left:
        names = _bars(choice, table, snapshots[step])
    with right:
        _lines(choice, snapshots, step)
    last = _nearest(choice, snapshots[-1], _N)
    kept = len(set(names) & set(last))
    random_pair = snapshots[step].space.mean_cosine()
    st.markdown(
        f"After {snapshots[step].share:.0%} of the training, **{kept} of {_N}** neighbours of"
        f" {choice.name} are those of the end. {_pair_text(choice, snapshots, step)} Two random words"
        f" of this snapshot have a mean cosine of {random_pair:.2f}."
    )


def _nearest(choice: Choice, snapshot: Snapshot, n: int) -> list[str]:
    space = snapshot.space
    found = space.nearest(space.vectors[choice.word], n, exclude=[choice.word])
    return [space.vocabulary.words[each.id] for each in found]


def _bars(choice: Choice, table: str, snapshot: Snapshot) -> list[str]:
    space = snapshot.space
    found = space.nearest(space.vectors[choice.word], _N, exclude=[choice.word])
    names = [space.vocabulary.words[each.id] for each in found]
    frame = charts.neighbour_frame(
        names, [each.cosine for each in found], [space.vocabulary.counts[each.id] for each in found]
    )
    finding = f"At {snapshot.share:.0%}: nearest to {choice.name} is {names[0]}"
    st.markdown(f"**{finding}**")
    show_chart(
        charts.neighbour_bars(frame, BLUE, chosen=choice.other_name),
        frame,
        key="snapshot_bars",
        alt=f"{finding} ({table}). Then {', '.join(names[1:])}.",
        name=f"neighbours-{choice.name}-at-{snapshot.share * 100:g}",
    )
    return names


def _lines(choice: Choice, snapshots: list[Snapshot], step: int) -> None:
    names = _nearest(choice, snapshots[-1], _LINES)
    if _is_kept(choice, snapshots) and choice.other_name not in names:
        names = [*names[: _LINES - 1], choice.other_name]
    ids = [snapshots[-1].space.vocabulary.ids[name] for name in names]
    cosines = [m.space.matrix([choice.word, *ids])[0, 1:].tolist() for m in snapshots]
    percents = [100.0 * snapshot.share for snapshot in snapshots]
    lines = {
        name: list(zip(percents, (row[i] for row in cosines), strict=True))
        for i, name in enumerate(names)
    }
    colours = dict(zip(names, _LINE_COLOURS, strict=False)) | {choice.other_name: VERMILLION}
    lowest = min(cosine for row in cosines for cosine in row)
    drawn = charts.line_chart(
        lines,
        {name: LineStyle(colours[name]) for name in names},
        _PERCENT,
        Axis("cosine", (-1.0 if lowest < -0.25 else -0.25, 1.0)),
        now=max(percents[step], _PERCENT.domain[0]),
        has_points=True,
        height=290,
    )
    st.markdown(f"**Cosine with {choice.name}: the nearest words at the end**")
    show_chart(
        drawn,
        lambda: drawn.data.loc[drawn.data["kind"] == "line", ["name", "x", "y"]],
        key="snapshot_lines",
        alt=f"Cosines with {choice.name} over {len(snapshots)} snapshots: "
        + "; ".join(f"{n} from {ends[0][1]:.2f} to {ends[-1][1]:.2f}" for n, ends in lines.items()),
        name=f"snapshots-{choice.name}",
    )


def _is_kept(choice: Choice, snapshots: list[Snapshot]) -> bool:
    is_other = choice.other is not None and choice.other != choice.word
    return is_other and choice.other < len(snapshots[-1].space.vocabulary)


def _pair_text(choice: Choice, snapshots: list[Snapshot], step: int) -> str:
    if choice.other in (None, choice.word):
        return ""
    if not _is_kept(choice, snapshots):
        return f"{choice.other_name} is not among the words of the snapshots."
    now, end = (snapshots[i].space.pair(choice.word, choice.other).cosine for i in (step, -1))
    return f"Its cosine with **{choice.other_name}** is {now:.3f}; at the end it is {end:.3f}."
