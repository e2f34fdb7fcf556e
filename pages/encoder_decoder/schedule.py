"""The schedule of scheduled sampling, to be moved, and what the decoder reads at a step of it."""

from dataclasses import replace

import pandas as pd
import streamlit as st

from lm_core.analysis.scheduled_sampling import words_read
from lm_core.experiments.translation.settings import RECIPES, TranslationTrainingConfig
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.shared import page
from pages.shared.charts.palette import ORANGE
from pages.shared.components.texts import ON, PLAIN, Tint, TintedText, tinted_texts
from pages.shared.models.language_models import model_named, provenance_of
from pages.shared.models.translation import ONE_VECTOR, TRANSFORMER, reference_of, translated
from pages.shared.numbers import percent

SAMPLED = "translation-sampled"
_STEPS_APART = 50
_SEED = 1
_LINE = "own words"


def schedule(sentence: str) -> None:
    """Draw the schedule, and what the decoder reads of a translation at one step of the training."""
    st.markdown("**What the decoder reads while it learns**")
    left, right = st.columns(2, gap="medium")
    with left:
        training, step = _choose()
        share = training.sampled_at(step)
        _draw(training, step, share)
    with right:
        translation = reference_of(sentence) or translated(TRANSFORMER, sentence).text
        read = _read(provenance_of(ONE_VECTOR).weights_sha256, sentence, translation, share)
        _texts(translation, read, step, share)


def _choose() -> tuple[TranslationTrainingConfig, int]:
    """Draw the controls of the schedule, and return it with the step that is looked at."""
    shipped = RECIPES[SAMPLED].training
    with st.container(horizontal=True, gap="medium"):
        sampled = page.slider(
            "own_share",
            "Own words in the last step, %",
            0,
            100,
            round(100 * shipped.sampled),
            5,
            help="*Scheduled sampling*: at the end of training, this share of the words that the decoder reads"
            " are its own guesses instead of the right ones, so it meets its own mistakes. 0 % is teacher forcing.",
        )
        begins = page.slider(
            "own_from",
            "No own words before, % of the steps",
            0,
            90,
            round(100 * shipped.sampled_from),
            10,
            help="Until this point the decoder reads only right words; from here on the share of its"
            " own rises.",
        )
    step = page.slider(
        "schedule_step", "Training step", 0, shipped.steps, shipped.steps, _STEPS_APART
    )
    return replace(shipped, sampled=sampled / 100, sampled_from=begins / 100), int(step)


def _draw(training: TranslationTrainingConfig, step: int, share: float) -> None:
    points = [
        (float(at), training.sampled_at(at)) for at in range(0, training.steps + 1, _STEPS_APART)
    ]
    page.show_chart(
        page.line_chart(
            {_LINE: points},
            {_LINE: page.LineStyle(ORANGE)},
            page.Axis("training step", (0.0, float(training.steps))),
            page.Axis("own words", (0.0, 1.0), form=".0%"),
            now=float(step),
            rings={_LINE: [(float(step), share)]},
            has_names=False,
            height=170,
        ),
        lambda: _frame(points),
        key="schedule",
        alt=f"Own words rise from 0 % after step {training.sampled_from * training.steps:,.0f} to"
        f" {percent(training.sampled)} in step {training.steps:,}; at step {step:,}: {percent(share)}.",
        name="scheduled-sampling",
        is_small=True,
    )


def _frame(points: list[tuple[float, float]]) -> pd.DataFrame:
    return pd.DataFrame(points, columns=["training step", "share of own words"])


def _texts(translation: str, read: list[tuple[str, bool]], step: int, share: float) -> None:
    words = translation.split()
    own = [word for word, _ in read]
    marked = [Tint((ON,), 60, "its own") if is_wrong else PLAIN for _, is_wrong in read]
    tinted_texts(
        [
            TintedText("Right", words, [PLAIN] * len(words)),
            TintedText(f"Read at step {step:,}, {percent(share)} its own", own, marked),
        ],
        key="schedule_texts",
        label="What the decoder reads",
        hint="A marked word is the model's own and not the right one.",
        legend=[(ON, "its own, not the right one")],
    )
    st.caption(
        "The model's own words are taken from the finished one-vector model here, so early in a"
        " training they are worse than shown."
    )


@st.cache_data(max_entries=256, show_spinner=False)
def _read(
    weights_sha256: str, sentence: str, translation: str, share: float
) -> list[tuple[str, bool]]:
    model = model_named(ONE_VECTOR, weights_sha256).model
    with page.model_calls:
        return words_read(
            model, shipped_vocabulary(), sentence, translation, share, generator(_SEED)
        )
