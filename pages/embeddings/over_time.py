"""A word's neighbours while the vectors were trained, from snapshot to snapshot."""

import streamlit as st

from lm_core.experiments.word2vec.recipes import SNAPSHOT_WORDS
from pages.embeddings.vectors import Snapshot, snapshots_of
from pages.embeddings.word_choice import Choice, choose_table
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREEN, ORANGE, PURPLE, SKY, VERMILLION
from pages.shared.charts.word_vectors import neighbour_bars, neighbour_frame
from pages.shared.numbers import percent

_N, _LINES = 8, 5  # while it learned: neighbours listed, and words whose cosine is drawn
_LINE_COLOURS = (BLUE, ORANGE, GREEN, PURPLE, SKY)
_PERCENT = page.Axis(
    "% of the training", (0.5, 100.0), is_logarithmic=True, values=(1.0, 3.0, 10.0, 30.0, 100.0)
)
"""The start, 0 %, is drawn at the left end."""


@page.fragment
def over_time(choice: Choice) -> None:
    """Draw the neighbours of a snapshot, and the cosines of the last ones over all snapshots."""
    table = choose_table(choice.meta)
    snapshots = snapshots_of(choice.meta, table)
    size = len(snapshots[-1].space.vocabulary)
    if len(snapshots) < 2:
        st.info(
            "Only the end of this model's training was saved, so it has no snapshots to step through."
            " Choose other vectors."
        )
        return
    if choice.word >= size:
        st.info(
            f"The snapshots hold the {size:,} most frequent words, and **{choice.name}** is not"
            " among them, so it cannot be followed here. Choose a more frequent word."
        )
        return
    page.playback_bar(
        "snapshot",
        len(snapshots),
        lambda step: _snapshot(choice, table, snapshots, step),
        label="Snapshot",
        seconds_per_step=0.8,
    )


def _snapshot(choice: Choice, table: str, snapshots: list[Snapshot], step: int) -> None:
    screen = page.first_screen(picture=3.4, beside=1.0)
    with screen.picture:
        left, right = st.columns([1, 1.25], gap="medium")
        with left:
            names = _bars(choice, table, snapshots[step])
        with right:
            _lines(choice, snapshots, step)
    last = _nearest(choice, snapshots[-1], _N)
    kept = len(set(names) & set(last))
    random_pair = snapshots[step].space.mean_cosine()
    page.note_beside(
        screen,
        f"After {percent(snapshots[step].share)} of the training, **{kept} of the {_N}** words"
        f" nearest to {choice.name} are already the final ones."
        f" {_pair_text(choice, snapshots, step)} Two random words of this snapshot have a mean"
        f" cosine of {random_pair:.2f}, so only a higher one is a sign of likeness.",
    )
    size = len(snapshots[-1].space.vocabulary)
    page.note_beside(
        screen,
        f"Neighbours are searched among the {min(SNAPSHOT_WORDS, size):,} most frequent words,"
        " because each snapshot holds only these; the mean is not subtracted.",
    )


def _nearest(choice: Choice, snapshot: Snapshot, n: int) -> list[str]:
    space = snapshot.space
    found = space.nearest(space.vectors[choice.word], n, exclude=[choice.word])
    return [space.vocabulary.words[each.id] for each in found]


def _bars(choice: Choice, table: str, snapshot: Snapshot) -> list[str]:
    space = snapshot.space
    found = space.nearest(space.vectors[choice.word], _N, exclude=[choice.word])
    names = [space.vocabulary.words[each.id] for each in found]
    frame = neighbour_frame(
        names, [each.cosine for each in found], [space.vocabulary.counts[each.id] for each in found]
    )
    finding = f"At {percent(snapshot.share)}: nearest to {choice.name} is {names[0]}"
    st.markdown(f"**{finding}**")
    page.show_chart(
        neighbour_bars(frame, BLUE, chosen=choice.other_name),
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
    drawn = page.line_chart(
        lines,
        {name: page.LineStyle(colours[name]) for name in names},
        _PERCENT,
        page.Axis("cosine", (-1.0 if lowest < -0.25 else -0.25, 1.0)),
        now=max(percents[step], _PERCENT.domain[0]),
        has_points=True,
        height=290,
    )
    st.markdown(f"**Cosine with {choice.name}: the nearest words at the end**")
    page.show_chart(
        drawn,
        lambda: drawn.data.loc[drawn.data["kind"] == "line", ["name", "x", "y"]],
        key="snapshot_lines",
        alt=f"Cosines with {choice.name} over {len(snapshots)} snapshots: "
        + "; ".join(f"{n} from {ends[0][1]:.2f} to {ends[-1][1]:.2f}" for n, ends in lines.items()),
        name=f"snapshots-{choice.name}",
    )


def _is_kept(choice: Choice, snapshots: list[Snapshot]) -> bool:
    other = choice.other
    if other is None or other == choice.word:
        return False
    return other < len(snapshots[-1].space.vocabulary)


def _pair_text(choice: Choice, snapshots: list[Snapshot], step: int) -> str:
    if choice.other in (None, choice.word):
        return ""
    if not _is_kept(choice, snapshots):
        return f"{choice.other_name} is not among the words of the snapshots."
    now, end = (snapshots[i].space.pair(choice.word, choice.other).cosine for i in (step, -1))
    return f"Its cosine with **{choice.other_name}** is {now:.3f}; at the end it is {end:.3f}."
