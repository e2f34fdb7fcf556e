"""The settings of a small translator that a class trains, and its start."""

import contextlib
from dataclasses import replace

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.presets import ARCHITECTURES, STEPS, WIDTHS, small_translator
from lm_core.experiments.translation.settings import TranslationRecipe
from lm_core.jobs import jobs
from lm_core.text.sentence_pairs import missing_files
from pages.shared.models.translation import how_to_fetch
from pages.shared.trainings.training_requests import (
    choose_training_seed,
    submit_training,
    train_button,
    training_setting,
)


def draw_form(who: str) -> None:
    """Draw what can be chosen and the button that starts; where there is no corpus, how to fetch it."""
    if gone := missing_files():
        st.info(f"The training sentences are not on this server. {how_to_fetch(gone)}")
        return
    recipe = _choose()
    with st.container(horizontal=True, gap="small"):
        button = st.container(width="content")
        with st.popover("More", icon=":material/tune:"):
            recipe = _changed(recipe)
    with button:
        is_wanted = train_button("translator_train")
    if is_wanted:
        submit_training(lambda: translation_run(recipe), who)
    st.caption(
        "It learns from captions and their translations, and you can go on using the page. On one"
        " machine the same settings show the same training, because its random numbers have a fixed seed."
    )
    with contextlib.suppress(LMCoreError):  # a head start, no more: Train says what is wrong
        jobs.expect_one()


def _choose() -> TranslationRecipe:
    """Draw the main controls, and return the training that they say."""
    architecture = training_setting(
        st.selectbox,
        "train_architecture",
        "Model to train",
        list(ARCHITECTURES),
        index=1,
        format_func=ARCHITECTURES.__getitem__,
    )
    width = training_setting(st.select_slider, "train_width", "Width", WIDTHS, WIDTHS[1])
    steps = training_setting(
        st.select_slider, "train_steps", "Steps", STEPS, STEPS[2], format_func="{:,}".format
    )
    return small_translator(architecture, width, steps)


def _changed(recipe: TranslationRecipe) -> TranslationRecipe:
    """Draw how it learns, and return the training changed accordingly."""
    smoothing = training_setting(
        st.toggle,
        "train_smoothing",
        "Label smoothing",
        True,
        help=(
            "A tenth of each target's probability is spread over all subwords, so the model is not"
            " driven to be completely certain."
        ),
    )
    sampled = training_setting(
        st.slider,
        "train_sampled",
        "Own words in the last step, %",
        0,
        100,
        0,
        5,
        help="Scheduled sampling; 0 % is teacher forcing. Its steps take longer, because the decoder"
        " has to write before it can read.",
    )
    begins = training_setting(
        st.slider, "train_sampled_from", "No own words before, % of the steps", 0, 90, 0, 10
    )
    seed = choose_training_seed()
    training = replace(
        recipe.training,
        label_smoothing=recipe.training.label_smoothing if smoothing else 0.0,
        sampled=sampled / 100,
        sampled_from=begins / 100,
        seed=seed,
    )
    return replace(recipe, training=training)
