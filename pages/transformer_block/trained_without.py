"""Models that were trained without a part, or with the norm elsewhere: what they end at."""

import streamlit as st

from lm_core.experiments.ablations.results import AblationResults

_PAIRS = {4: ("full", "post-norm"), 8: ("deep", "deep-post-norm")}
"""Variants with the norm before each sublayer and after it, by the number of blocks."""


def trained_without() -> None:
    """Say what models end at that were trained without a part, or with the norm after each sublayer."""
    results = AblationResults.load()
    ends = {name: found.validation.loss for name, found in results.trainings.items()}
    for layers, (before, after) in _PAIRS.items():
        better = "after" if ends[after] < ends[before] else "before"
        st.markdown(
            f"**{layers} blocks**: norm before each part {ends[before]:.3f}, after it {ends[after]:.3f} nats a"
            f" character. Here the norm **{better}** wins."
        )
    st.markdown(
        f"Trained without residual paths, the model of 4 blocks ends at {ends['no-residual']:.2f}; one that"
        f" knows only how frequent each character is has {results.unigram_loss:.2f}, so the first has learned"
        " hardly more than that. The curves are on [Ablations](ablations)."
    )
