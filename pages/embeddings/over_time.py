"""A word's neighbours while the vectors were being learned."""

import streamlit as st

from lm_core.experiments.word2vec.recipes import SNAPSHOT_WORDS
from pages.embeddings.choices import Choice, choose_table
from pages.embeddings.library import Snapshot, snapshots_of
from pages.shared import charts
from pages.shared.charts.palette import BLUE
from pages.shared.ui.figures import show_chart
from pages.shared.ui.playback import playback_bar

_N, _LINES = 8, 5


@st.fragment
def over_time(choice: Choice) -> None:
    """Draw the neighbours of a snapshot, and the cosines of the last ones over all snapshots."""
    table = choose_table()
    snapshots = snapshots_of(choice.meta, table)
    size = len(snapshots[-1].space.vocabulary)
    if len(snapshots) < 2:
        st.info("Of this training there are no snapshots: only its end was kept.")
        return
    if choice.word >= size:
        st.info(
            f"Of the snapshots of this training the {size:,} most frequent words are kept;"
            f" **{choice.name}** is not among them. Choose a more frequent word."
        )
        return
    st.caption(
        f"Of each snapshot the {min(SNAPSHOT_WORDS, size):,} most frequent words are kept: the"
        " neighbours are sought among them, and the mean stays on."
    )
    playback_bar(
        "snapshot",
        len(snapshots),
        lambda step: _snapshot(choice, table, snapshots, step),
        label="Snapshot of the training",
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
    drawn_blindly = snapshots[step].space.mean_cosine()
    st.markdown(
        f"After {snapshots[step].share:.0%} of the training, **{kept} of {_N}** neighbours of"
        f" {choice.name} are those of the end. {_pair_text(choice, snapshots, step)} Two of the kept words drawn blindly"
        f" have a mean cosine of {drawn_blindly:.2f} at this snapshot."
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
    lines = {name: [row[i] for row in cosines] for i, name in enumerate(names)}
    frame = charts.snapshot_frame(lines, [snapshot.share for snapshot in snapshots])
    st.markdown(f"**Cosine with {choice.name}: the nearest of the end**")
    show_chart(
        charts.snapshot_lines(frame, step, thick=choice.other_name),
        frame,
        key="snapshot_lines",
        alt=f"Cosines with {choice.name} over {len(snapshots)} snapshots: "
        + "; ".join(f"{name} from {row[0]:.2f} to {row[-1]:.2f}" for name, row in lines.items()),
        name=f"snapshots-{choice.name}",
    )


def _is_kept(choice: Choice, snapshots: list[Snapshot]) -> bool:
    is_other = choice.other is not None and choice.other != choice.word
    return is_other and choice.other < len(snapshots[-1].space.vocabulary)


def _pair_text(choice: Choice, snapshots: list[Snapshot], step: int) -> str:
    if choice.other in (None, choice.word):
        return ""
    if not _is_kept(choice, snapshots):
        return f"{choice.other_name} is not among the words that were kept."
    now, end = (snapshots[i].space.pair(choice.word, choice.other).cosine for i in (step, -1))
    return f"Its cosine with **{choice.other_name}** is {now:.3f}; at the end it is {end:.3f}."
