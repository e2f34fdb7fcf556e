"""The controls of a training that is about to be started: size, steps, learning rate, seed, cost."""

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.war_and_peace import presets
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.jobs import jobs
from lm_core.jobs.records import RunConfig
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.training.checkpoints import read_meta
from lm_core.training.devices import choose_device
from lm_core.training.model_vocabulary import vocabulary_fields
from lm_core.training.recipes import SNAPSHOT_STEPS, Recipe
from pages.shared.numbers import significant
from pages.shared.trainings import training_requests
from pages.shared.trainings.trainings import folder_of_checkpoint, is_private_model
from pages.shared.turns import model_calls
from pages.shared.ui.markdown import escaped
from pages.shared.ui.times import duration

_LENGTHS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
_LONGEST_TITLE = 200  # a file may be named at any length
_OF_ANY_SIZE = "LSTM, layers and width as you like"
_SIZED = presets.WORDS.name  # the recipe whose size is free
_RATES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True)
class Material:
    """The text that a visitor chose to train on."""

    title: str  # for people
    corpus: str  # as in a `RunConfig`
    sha256: str  # as in a `RunConfig`
    vocabulary: CharacterVocabulary
    n_characters: int
    text: str | None = None  # the text itself, if it is in no catalogue
    # whether it is the visitor's own, and nobody else is to see what is learned from it
    is_private: bool = False


def training_form(recipes: Mapping[str, Recipe], material: Material, who: str) -> None:
    """Draw the controls and the button that starts.

    Parameters
    ----------
    recipes : mapping of str to Recipe, what may be trained, by name
    material : Material, on which
    who : str, as `pages.shared.ui.visitor.visitor` says
    """
    chosen = _choose(recipes, len(material.vocabulary))
    is_private = material.is_private or is_private_model(chosen.starts_from)
    is_shared = is_private and training_requests.ask_whether_shared()
    st.caption(escaped(chosen.about))
    too_short = presets.fewest_characters(chosen) > material.n_characters
    if too_short:
        st.warning(
            f"{escaped(chosen.title)} needs at least {presets.fewest_characters(chosen):,} characters,"
            f" {escaped(material.title)} has {material.n_characters:,}: choose a smaller model or more"
            " text."
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if training_requests.train_button("training_start", disabled=too_short):
            training_requests.submit_training(
                lambda: _run_config(chosen, material),
                who,
                material.text,
                is_private=is_private,
                is_shared=is_shared,
            )
        if not too_short:
            st.markdown(_cost(chosen, material.n_characters))
    with contextlib.suppress(LMCoreError):  # a head start, no more: Train says what is wrong
        jobs.expect_one()


def _choose(recipes: Mapping[str, Recipe], vocabulary_size: int) -> Recipe:
    """Draw the controls, and return the recipe that they say, for the text's vocabulary."""
    columns = st.columns([1.5, 1, 1, 0.7], vertical_alignment="bottom")
    with columns[0]:
        name = training_requests.training_setting(
            st.selectbox,
            "recipe",
            "Model to train",
            list(recipes),
            format_func=lambda name: _OF_ANY_SIZE if name == _SIZED else recipes[name].title,
        )
    recipe = _sized_words() if name == _SIZED else recipes[name]
    with columns[1]:
        length = training_requests.training_setting(
            st.select_slider,
            "length",
            "Steps",
            _LENGTHS,
            1.0,
            format_func=lambda share: f"{_steps(recipe, share):,}",
        )
    with columns[2]:
        rate = training_requests.training_setting(
            st.select_slider,
            "rate",
            "Highest learning rate",
            _RATES,
            1.0,
            format_func=lambda share: significant(recipe.training.learning_rate * share, 3),
            help="The steps begin small, reach this rate, and then shrink to nothing,"
            " so that the last ones only refine.",
        )
    with columns[3]:
        seed = training_requests.choose_training_seed()
    return _adjusted(presets.fitted(recipe, vocabulary_size), length, rate, seed)


def _sized_words() -> Recipe:
    """Draw the controls of the quickest network's size, and return its recipe."""
    columns = st.columns(2)
    with columns[0]:
        layers = training_requests.training_setting(
            st.select_slider,
            "train_layers",
            "Layers",
            presets.LAYERS,
            presets.LAYERS[0],
            help="Each further layer reads what the layer below it puts out.",
        )
    with columns[1]:
        width = training_requests.training_setting(
            st.select_slider,
            "train_width",
            "Width",
            presets.WIDTHS,
            256,
            help="The units in each layer. Twice as many have three to four times as many weights,"
            " because every unit reads every unit of its layer.",
        )
    return presets.words_of_size(layers, width)


def _steps(recipe: Recipe, share: float) -> int:
    return max(1, round(recipe.training.steps * share))


def _adjusted(recipe: Recipe, length: float, rate: float, seed: int) -> Recipe:
    """Return the recipe with so many times its steps and its learning rate."""
    steps = _steps(recipe, length)
    training = replace(
        recipe.training,
        steps=steps,
        warmup_steps=min(recipe.training.warmup_steps, steps),
        learning_rate=recipe.training.learning_rate * rate,
        seed=seed,
    )
    snapshot_steps = tuple(step for step in SNAPSHOT_STEPS if step < steps)
    return replace(recipe, training=training, snapshot_steps=snapshot_steps)


def _cost(recipe: Recipe, n_characters: int) -> str:
    speed = _speed(recipe.model, recipe.training.batch, recipe.training.window, recipe)
    training = recipe.training
    n_learned = training.steps * training.batch * training.window
    return (
        f"{significant(n_learned / 1e6, 3)} million characters: about"
        f" **{duration(presets.estimated_seconds(recipe, speed))}** at the {speed:,.0f} characters a second"
        f" measured on this server within the last ten minutes, {significant(n_learned / n_characters, 2)} times the text,"
        f" {presets.memory_bytes(recipe, n_characters) / 1e9:.1f} GB of memory."
    )


@st.cache_data(max_entries=32, ttl=600, show_spinner="Measuring this machine's speed")
def _speed(model: object, batch: int, window: int, _recipe: Recipe) -> float:
    del model, batch, window  # all that the speed depends on: the key
    with model_calls:
        return presets.measure_speed(_recipe, choose_device())


def _run_config(recipe: Recipe, material: Material) -> RunConfig:
    start = None
    if recipe.starts_from:
        start = folder_of_checkpoint(recipe.starts_from)
        recipe = replace(recipe, starts_from=read_meta(start).name)  # as its folder names it
    config = run_config(
        recipe,
        corpus=material.corpus,
        corpus_sha256=material.sha256,
        vocabulary=material.vocabulary.name,
        start=start,
    )
    learned = f"{recipe.title} on {material.title}"[:_LONGEST_TITLE]
    title = f"{learned}, {recipe.training.steps:,} steps"
    return replace(config, title=title, **vocabulary_fields(material.vocabulary))
