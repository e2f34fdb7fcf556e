"""Training a translator on the page encoder-decoder: what is asked for, and how it is played back."""

from contextlib import closing
from itertools import islice

import pytest
import torch

from lm_core.experiments.translation import experiment
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.translation.settings import TranslationRecipe, TranslationTrainingConfig
from lm_core.generation.translation import translate
from lm_core.jobs import jobs
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.text.sentence_pairs import SentencePair
from lm_core.text.translation_vocabulary import SIZE, shipped_vocabulary
from lm_core.training.checkpoints import load_checkpoint
from pages.encoder_decoder import training_settings
from pages.shared.models.book_models import finished_models
from pages.shared.models.language_models import provenance_of
from pages.shared.models.translation import ATTENTION, EXAMPLES, ONE_VECTOR, translated
from pages.shared.trainings import trainings
from tests.pages.playing import put
from tests.pages.visits import charts, drawn_rows, holds, sent_to, tints_of, visit

PAGE, PART = "pages/encoder_decoder/page.py", "Train one"
PAIRS = tuple(
    SentencePair(f"A {noun} is {verb}.", f"Un {nom} {verbe}.")
    for noun, nom in (("man", "homme"), ("dog", "chien"), ("boy", "garçon"))
    for verb, verbe in (("running", "court"), ("sleeping", "dort"))
)
RECIPE = TranslationRecipe(
    "translator-tiny",
    "Tiny",
    EncoderDecoderConfig(SIZE, "additive", 6, 5, 7, 4, 3),
    TranslationTrainingConfig(steps=40, batch_tokens=40, learning_rate=3e-2, warmup_steps=1),
    snapshot_steps=(2, 10),
)


@pytest.fixture(autouse=True)
def made_up_pairs(no_workers, monkeypatch):
    monkeypatch.setattr(experiment, "load_pairs", lambda part: PAIRS)
    monkeypatch.setattr(experiment, "pairs_sha256", lambda: "made up")
    monkeypatch.setattr(training_settings, "missing_files", list)


def trained(until=None):
    """Train a tiny model to its end or to an earlier step, and return its job."""
    config = translation_run(RECIPE)
    run = RunFolder.keyed(config.fingerprint())
    with closing(train_here(run, config, device=torch.device("cpu"))) as steps:
        for _ in islice(steps, until):
            pass
    trainings.known_jobs.clear()
    return jobs.job(run.key)


def translations(app):
    """The texts on the page: pairs of a title and the words below it."""
    (sent,) = sent_to(app, "token_strip")
    found = []
    for token, (roles, *_) in zip(sent["tokens"], tints_of(sent), strict=True):
        if roles == ["heading"]:
            found.append((token, []))
        else:
            found[-1][1].append(token.strip())
    return found


def test_before_anything_is_trained_the_shipped_ones_translate():
    (first, words), (second, better) = translations(visit(PAGE, part=PART))
    for name, title, said in ((ONE_VECTOR, first, words), (ATTENTION, second, better)):
        found = translated(name, EXAMPLES[0].english)
        assert "".join(said).removesuffix("(end)") == found.text.replace(" ", "")
        assert holds(title, provenance_of(name).steps)


def test_what_is_chosen_is_asked_for():
    app = visit(PAGE, part=PART, train_architecture="Transformer", train_smoothing="false")
    app.select_slider(key="train_width").set_value(64).run()
    app.select_slider(key="train_steps").set_value(200).run()
    app.slider(key="train_sampled").set_value(50).run()
    app.slider(key="train_sampled_from").set_value(20).run()
    app.number_input(key="train_seed").set_value(7).run()
    app.button(key="translator_train").click().run()
    assert not app.exception
    (job,) = jobs.jobs()
    model, asked = job.config.model, TranslationTrainingConfig(**job.config.training)
    assert (model["family"], model["width"]) == ("EncoderDecoderTransformerConfig", 64)
    assert (asked.steps, asked.seed, asked.label_smoothing) == (200, 7, 0.0)
    assert (asked.sampled, asked.sampled_from) == (0.5, 0.2)
    assert job.config.snapshot_steps[-1] == 100
    assert app.selectbox(key="job").value == job.key


def test_a_training_is_stopped_and_goes_on():
    app = visit(PAGE, part=PART)
    app.button(key="translator_train").click().run()
    (job,) = jobs.jobs()
    assert job.status.state is RunState.QUEUED
    for act, state in (
        ("pause", RunState.PAUSED),
        ("resume", RunState.QUEUED),
        ("cancel", RunState.CANCELLED),
    ):
        app.button(key=f"{act}_{job.key}").click().run()
        assert not app.exception
        assert jobs.job(job.key).status.state is state
        trainings.known_jobs.clear()
        app.run()


def test_each_snapshot_translates_the_sentence_of_the_page():
    job = trained()
    app = visit(PAGE, part=PART)
    assert app.slider(key="sample").max == 2
    folders = [job.run.snapshot(2), job.run.snapshot(10), job.run.checkpoint]
    for i, (folder, steps) in enumerate(zip(folders, (2, 10, 40), strict=True)):
        put(app, "sample", i)
        (title, words), (_, other) = translations(app)
        assert holds(title, steps)
        found = translate(load_checkpoint(folder).model, shipped_vocabulary(), EXAMPLES[0].english)
        assert "".join(words).removesuffix("(end)") == found.text.replace(" ", "")
        assert " ".join(other) == EXAMPLES[0].french
        rows = drawn_rows(app, "training_curve")
        assert rows.loc[rows["kind"] == "now", "x"].tolist() == [steps]


@pytest.mark.parametrize("typed", ["dog", "Un homme dort.", "A dog 😀 sleeps.", "مرحبا بالعالم"])
def test_whatever_can_be_read_is_translated_by_it(typed):
    trained(until=3)
    app = visit(PAGE, part=PART, caption=typed)
    assert not app.error
    (title, words), _ = translations(app)
    assert holds(title, 3)
    assert words


def test_a_paused_training_has_its_last_step_and_its_model_can_be_taken_away():
    job = trained(until=5)
    app = visit(PAGE, part=PART)
    assert app.slider(key="sample").value == 1
    assert holds(translations(app)[0][0], 5)
    assert f"download_{job.key}" in {button.key for button in app.get("download_button")}
    assert f"use_{job.key}" not in {button.key for button in app.button}


def test_a_translator_is_not_offered_as_a_model_of_the_book():
    trained()
    assert not any(map(trainings.is_trained_here, finished_models()))
    assert trainings.trained_here() == {}


def test_without_the_corpus_it_says_how_to_fetch_it(monkeypatch):
    monkeypatch.setattr(training_settings, "missing_files", lambda: ["multi30k/val.en"])
    app = visit(PAGE, part=PART)
    assert any("data fetch multi30k/val.en" in info.value for info in app.info)
    assert "translator_train" not in {button.key for button in app.button}


def test_the_presenter_view_keeps_the_translation_and_leaves_the_buttons_out():
    job = trained()
    app = visit(PAGE, part=PART, present="1")
    assert holds(translations(app)[0][0], 40)
    assert "training_curve" not in charts(app)
    assert f"delete_{job.key}" not in {button.key for button in app.button}
    assert not app.dataframe
