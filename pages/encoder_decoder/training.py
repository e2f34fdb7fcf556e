"""A small translator trained by the class: its settings, its loss, and the sentence after each snapshot."""

import contextlib
from dataclasses import replace
from functools import partial

import streamlit as st

from lm_core.analysis.translation_support import word_certainties
from lm_core.errors import LMCoreError
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.presets import ARCHITECTURES, STEPS, WIDTHS, small_translator
from lm_core.experiments.translation.settings import EXPERIMENT, TranslationRecipe
from lm_core.jobs import jobs
from lm_core.jobs.jobs import Job
from lm_core.jobs.metrics_log import MetricsLogReader
from lm_core.text.sentence_pairs import missing_files
from lm_core.training.checkpoints import CheckpointMeta
from pages.encoder_decoder.growing import TITLES
from pages.encoder_decoder.tints import LEGEND, tint_of
from pages.shared import page
from pages.shared.components.texts import TintedText, plain_text, tinted_texts
from pages.shared.frame.jobs_panel import jobs_panel
from pages.shared.frame.training_playback import LossCurve, play_training
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import (
    TRANSFORMER,
    how_to_fetch,
    reference_of,
    traced,
    translated,
)
from pages.shared.trainings.training_requests import (
    choose_training_seed,
    submit_training,
    training_setting,
)
from pages.shared.trainings.trainings import checkpoints_of
from pages.shared.ui.visitor import visitor

_LOSS = LossCurve("subword", 9.0, 180, is_first=False)
"""Whoever knows nothing has 8.3 nats: the logarithm of 4,000 subwords."""


def train_a_translator(screen: page.FirstScreen, sentence: str) -> None:
    """Draw the settings of a training, and how the trainings of this server translate a sentence."""
    who = visitor()
    with screen.beside:
        _form(who)
    with screen.picture:
        jobs_panel(
            who,
            experiment=EXPERIMENT,
            unit="subword",
            picture=partial(_learning, sentence),
            nothing_yet=partial(_shipped, sentence),
        )


# Before -----------------------------------------------------------------------------------------


def _form(who: str) -> None:
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
        st.button(
            "Train",
            icon=":material/model_training:",
            type="primary",
            key="translator_train",
            on_click=_submit,
            args=(recipe, who),
        )
    st.caption(
        "It learns from captions and their translations, and you can go on using the page. The same"
        " settings always show the same training, because its random numbers have a fixed seed."
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


def _submit(recipe: TranslationRecipe, who: str) -> None:
    submit_training(lambda: translation_run(recipe), who)


# Meanwhile, and afterwards ----------------------------------------------------------------------


def _learning(sentence: str, job: Job, log: MetricsLogReader) -> None:
    """Draw the loss of a training, and play how it translated the sentence in its course."""
    stored = checkpoints_of(job)
    play_training(
        job,
        log,
        [meta.steps for meta in stored],
        lambda i: _translation(sentence, stored[i]),
        label="Snapshot",
        curve=_LOSS,
    )


def _translation(sentence: str, meta: CheckpointMeta) -> None:
    """Draw a snapshot's translation beside a better one."""
    reference = reference_of(sentence)
    other = (
        plain_text("A person", reference)
        if reference
        else plain_text("The shipped transformer", translated(TRANSFORMER, sentence).text)
    )
    _texts([_judged(f"After {meta.steps:,} steps", sentence, meta.name), other])


def _shipped(sentence: str) -> None:
    """Draw the translations of the shipped models: what a training is to come to."""
    _texts(
        [
            _judged(f"{title}, {provenance_of(name).steps:,} steps", sentence, name)
            for name, title in TITLES.items()
        ]
    )


def _judged(title: str, sentence: str, name: str) -> TintedText:
    """Return a model's translation, its words tinted by the shipped transformer's support."""
    tokens = translated(name, sentence).target_ids
    words = word_certainties(traced(TRANSFORMER, sentence, tokens), sentence)
    return TintedText(title, [word.text for word in words], [tint_of(word) for word in words])


def _texts(texts: list[TintedText]) -> None:
    tinted_texts(
        texts,
        key="trained_texts",
        label="Translations",
        hint="Point at a word for its support.",
        legend=[] if page.is_presenting() else LEGEND,
        fills_place=page.is_presenting(),
    )
