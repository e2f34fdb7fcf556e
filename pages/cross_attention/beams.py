"""The tree of a beam search: what was kept, finished and dropped, and where greedy decoding goes elsewhere."""

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.generation.beam_tree import BeamTree, beam_tree
from lm_core.generation.translation import Translation
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.alignment import as_quote
from pages.cross_attention.beam_tree_chart import beam_frame, beam_tree_chart
from pages.cross_attention.greedy_or_beams import halves, where_they_part
from pages.cross_attention.subject import Subject
from pages.shared import page
from pages.shared.models.language_models import model_named, provenance_of

_MOST_BEAMS, _BEAMS = 10, 5
_PENALTIES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.5, 2.0)
_COLUMNS, _LARGE_COLUMNS = 11, 8
"""Tokens side by side; fewer where they are to be read from the back row."""


def choose_beams() -> int:
    """Draw how many hypotheses are kept at each step, and return it."""
    return page.slider("beams_kept", "Beams", 1, _MOST_BEAMS, _BEAMS, width=_slider_width())


def _slider_width() -> int:
    return 130 if page.is_presenting() else 100


def beams(screen: page.FirstScreen, controls: DeltaGenerator, subject: Subject, width: int) -> None:
    """Draw the tree, and beside it where the best translation parts from the greedy one.

    Where the tree is wide, a control for its first column is added to the `controls`.
    """
    with screen.beside:
        penalty = page.pick(
            "length_penalty",
            "Length penalty",
            _PENALTIES,
            1.0,
            help="Finished hypotheses are compared by log-probability divided by (number of tokens)^this."
            " 0 favours short ones, because each token multiplies by a number below 1; 1 compares the mean per token.",
        )
    tree = _tree(
        subject.model, provenance_of(subject.model).weights_sha256, subject.sentence, width, penalty
    )
    greedy = subject.translation
    best = tree.hypotheses[0].tokens
    right, reason = where_they_part(greedy, tree, penalty)
    asked: page.Asked[tuple[float, float] | None] = page.ask(
        screen,
        f"parts_{subject.name}",
        f"Greedy decoding takes the most probable token each time. Where does the best of"
        f" {width} beams go elsewhere?",
        halves(len(best)),
        right=right,
        reason=reason,
    )
    with screen.picture:
        st.markdown(f"**{width} beams find {as_quote(shipped_vocabulary().decode(best))}**")
        _draw(subject, tree, width, controls, asked)
        if not asked.masks and not page.is_presenting():
            _hypotheses(tree, greedy)
    if asked.masks:
        page.note_beside(
            screen,
            "A *beam search* keeps several beginnings at once, because the best sentence need not"
            " begin with the most probable word. After each token the most probable ones stay,"
            " whichever beginning they come from.",
        )


def _draw(
    subject: Subject,
    tree: BeamTree,
    width: int,
    controls: DeltaGenerator,
    asked: page.Asked[tuple[float, float] | None],
) -> None:
    depth = max(node.depth for node in tree.nodes)
    first, most = 1, _LARGE_COLUMNS if page.is_presenting() else _COLUMNS
    if depth > most:
        with controls:
            first = page.slider(
                "tree_from", "From token", 1, depth - most + 1, 1, width=_slider_width()
            )
    best = tree.hypotheses[0].tokens
    greedy = () if asked.masks else subject.translation.target_ids
    frame = beam_frame(tree.nodes, best, greedy, first=first, most=most)
    fates = [node.fate for node in tree.nodes]
    counts = {fate: fates.count(fate) for fate in ("kept", "finished", "dropped")}
    said = ", ".join(f"{n} {fate}" for fate, n in counts.items())
    with st.container(key="sideways_beams"):
        page.show_chart(
            beam_tree_chart(frame, height=max(150, 24 * min(2 * width, 20)), guess=asked.value),
            key="cross_beams",
            alt=f"{len(fates)} candidates of {width} beams over {depth} tokens: {said}. The best:"
            f" {shipped_vocabulary().decode(best)}",
            name="beam-search",
        )
    if not page.is_presenting():
        st.caption(
            f"{len(fates)} candidates: {said}. Blue: the best translation."
            + ("" if asked.masks else " Orange: the greedy one.")
            + " Grey: dropped. ■ ends one."
        )


def _hypotheses(tree: BeamTree, greedy: Translation) -> None:
    """Write the finished translations as a table, the best first."""
    rows = [
        (
            shipped_vocabulary().decode(found.tokens),
            len(found.tokens),
            round(found.log_probability, 2),
            round(found.score, 3),
            "greedy" if found.tokens == greedy.target_ids else "",
        )
        for found in tree.hypotheses
    ]
    columns = ["translation", "tokens", "log-probability", "score", "also"]
    st.dataframe(pd.DataFrame(rows, columns=columns), hide_index=True, height="content")


@st.cache_resource(max_entries=64, show_spinner=False)
def _tree(name: str, weights_sha256: str, sentence: str, width: int, penalty: float) -> BeamTree:
    """Search once for all visitors."""
    model = model_named(name, weights_sha256).model
    with page.model_calls:
        return beam_tree(model, shipped_vocabulary(), sentence, width=width, length_penalty=penalty)
