"""What is trained: CBOW, or skip-gram with its negative samples."""

from dataclasses import replace

import streamlit as st

from lm_core.experiments.word2vec.short_text import SKIP_GRAM
from pages.shared.trainings.training_requests import training_setting
from pages.word2vec.text import Material


def choose_method(material: Material) -> Material:
    """Draw the choice of what is trained; return the text with the settings of that method."""
    columns = st.columns([1.2, 1, 1.4], vertical_alignment="bottom", gap="medium")
    with columns[0]:
        method = training_setting(
            st.segmented_control,
            "train_method",
            "Train",
            ("CBOW", "skip-gram"),
            default="CBOW",
            required=True,
            help="CBOW is trained with the full softmax, skip-gram with negative sampling.",
        )
    if method == "CBOW":
        return material
    with columns[1]:
        negatives = training_setting(
            st.select_slider,
            "negatives",
            "Negative samples, k",
            (1, 2, 5, 10),
            5,
            help="Random words that skip-gram has to tell from each true context word.",
        )
    with columns[2]:
        rate = training_setting(
            st.select_slider,
            "skip_gram_rate",
            "Learning rate of skip-gram",
            (0.005, 0.01, 0.025),
            SKIP_GRAM.learning_rate,
            help="It takes the place of the rate under *More*, which is for CBOW, as is the limit of"
            " the length, because skip-gram descends without Adam.",
        )
    softmax = material.config
    config = replace(
        SKIP_GRAM,
        width=softmax.width,
        window=softmax.window,
        negatives=negatives,
        epochs=softmax.epochs,
        learning_rate=rate,
        seed=softmax.seed,
    )
    return material._replace(config=config)
