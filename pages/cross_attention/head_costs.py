"""What each head of the cross-attention costs when it is ablated."""

from functools import partial

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.errors import ResultError
from lm_core.experiments.translation.results import ModelScore, TranslationResults
from pages.cross_attention.subject import Subject
from pages.shared import page
from pages.shared.charts.attention import heads_chart, heads_table
from pages.shared.models.translation import traced

Heads = tuple[tuple[int, int], ...]


def _costs(subject: Subject) -> np.ndarray:
    """Return by how much the log-probability of the translation falls without each head, (layers, heads)."""
    whole = subject.translation
    layers, heads = subject.shape
    return np.array(
        [
            [
                whole.log_probability
                - traced(
                    subject.model, subject.sentence, whole.target_ids, [(i, j)]
                ).log_probability
                for j in range(heads)
            ]
            for i in range(layers)
        ]
    )


def draw_head_costs(
    subject: Subject,
    ablated: Heads,
    score: ModelScore | None,
    here: DeltaGenerator,
    everywhere: DeltaGenerator,
) -> None:
    """Draw what each head is worth, here and on the test set."""
    chosen = ablated[0] if len(ablated) == 1 else (-1, -1)
    costs = _costs(subject)
    with here:
        st.markdown(f"**Here: head {_most_needed(costs)} is needed most**")
        _head_map(subject, costs, chosen, "nats lost without it", "+.2f", "cross_heads")
    if score is None or len(score.ablated_heads) < costs.size:
        return
    with everywhere:
        losses = np.zeros(subject.shape)
        for head in score.ablated_heads:
            losses[head.layer, head.head] = score.greedy.score - head.score
        st.markdown(f"**On {score.greedy.n_sentences:,} captions: head {_most_needed(losses)}**")
        _head_map(subject, losses, chosen, "BLEU lost without it", "+.1f", "cross_heads_bleu")


def _most_needed(costs: np.ndarray) -> str:
    """Name the head without which most is lost."""
    layer, head = np.unravel_index(int(costs.argmax()), costs.shape)
    return f"{layer + 1}.{head + 1}"


def _head_map(
    subject: Subject, costs: np.ndarray, chosen: tuple[int, int], title: str, written: str, key: str
) -> None:
    table = heads_table(costs, chosen)
    page.show_chart(
        heads_chart(table, title=title, written=written, height=150),
        key=key,
        alt=f"{title}, of each head of {subject.title}: most {costs.max():{written}} without head"
        f" {_most_needed(costs)}, least {costs.min():{written}}",
        name=key.replace("_", "-"),
        is_small=True,
    )


def score_of(subject: Subject) -> ModelScore | None:
    """Return what was measured of the model; where it cannot be read, say so."""
    try:
        return _results().named(subject.model)
    except ResultError as error:
        page.show_error(error, st.info)
        return None


_results = partial(page.shipped, TranslationResults)
