"""Work beside the trainings of language models on a graphics card, a pretended one.

Writing, beam search, translation and clusters; and the jobs that use no card say so.
"""

from copy import deepcopy
from dataclasses import replace

import pytest
import torch

from lm_core.clustering import em, k_means
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import mixture_from_centres
from lm_core.experiments.fine_tuning.experiment import own_tuning_run
from lm_core.experiments.fine_tuning.own_tuning import OwnTuningConfig
from lm_core.experiments.preferences.experiment import preference_run
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.written_text import experiment as written_text
from lm_core.generation.batch_generation import generate_batch
from lm_core.generation.beam_search import beam_search
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.ngram import estimate
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.translation_vocabulary import SIZE
from lm_core.training.checkpoints import save_checkpoint
from tests.core.experiments.fine_tuning.test_own_labels import OWN
from tests.core.experiments.preferences.test_experiment import SHORT_RUN
from tests.core.experiments.translation import test_experiment as translation
from tests.core.experiments.written_text.test_synthetic_text import lstm_writer
from tests.core.jobs.test_on_a_card import goes_through
from tests.core.pretend_card import pretend_card

N_SYMBOLS, PROMPT = 11, (3, 1, 4, 1, 5)


@pytest.fixture
def card():
    with pretend_card() as device:
        yield device


def writer(name):
    """A small model with weights of its own, on the processor."""
    if name == "n-gram":
        ids = torch.randint(N_SYMBOLS, (400,), generator=generator(1)).numpy()
        return estimate(ids, N_SYMBOLS, 2)
    if name == "LSTM":
        model = LSTMLanguageModel(LSTMLanguageModelConfig(N_SYMBOLS, 4, 6, 2))
    else:
        config = TransformerLanguageModelConfig(N_SYMBOLS, width=8, heads=2, layers=2, context=16)
        model = TransformerLanguageModel(config)
    model.initialise(generator(2))
    return model.eval()


def both(name, card):
    """The same model on the processor and on the card."""
    model = writer(name)
    return model, deepcopy(model).to(card)


WRITERS = ("transformer", "LSTM", "n-gram")


@pytest.mark.parametrize("name", WRITERS)
def test_one_text_is_the_processors(card, name):
    texts = []
    for model in both(name, card):
        text = TextGeneration.begin(model, PROMPT, SamplingSettings(), seed=3)
        text.write(20)
        texts.append(list(text.ids))
    assert texts[0] == texts[1]
    assert len(texts[0]) == len(PROMPT) + 20


@pytest.mark.parametrize("name", WRITERS)
def test_many_texts_are_the_processors(card, name):
    here, there = (
        generate_batch(model, PROMPT, SamplingSettings(temperature=0.8), 6, 12, generator(4))
        for model in both(name, card)
    )
    assert there.device.type == "cpu"
    assert torch.equal(here, there)


@pytest.mark.parametrize("name", WRITERS)
def test_a_beam_search_is_the_processors(card, name):
    here, there = (beam_search(model, PROMPT, 3, 6) for model in both(name, card))
    assert [beam.tokens for beam in here] == [beam.tokens for beam in there]


TRANSLATORS = {
    "one vector": EncoderDecoderConfig(SIZE, "none", 6, 5, 7, 4, 3),
    "additive attention": translation.RECIPE.model,
    "transformer": EncoderDecoderTransformerConfig(SIZE, 8, 2, 1, dropout=0.1),
}


@pytest.mark.parametrize("name", TRANSLATORS)
def test_a_translation_learns_is_stopped_and_goes_on(card, tmp_path, monkeypatch, name):
    monkeypatch.setattr(translation.experiment, "load_pairs", lambda part: translation.PAIRS)
    monkeypatch.setattr(translation.experiment, "pairs_sha256", lambda: "made up")
    training = replace(translation.RECIPE.training, sampled=0.5)
    recipe = replace(translation.RECIPE, model=TRANSLATORS[name], training=training)
    run = RunFolder(tmp_path / "run")
    steps, _ = goes_through(run, translation_run(recipe), card)
    assert [step.step for step in steps] == list(range(1, 7))
    assert run.status().device == card.type


def points_of(clusters):
    rng = generator(5)
    return torch.cat(
        [torch.randn(20, 2, generator=rng, dtype=torch.float64) + 4.0 * i for i in range(clusters)]
    )


def test_k_means_is_the_processors(card):
    points = points_of(3)
    here = k_means.fit(points, points[::20])
    there = k_means.fit(points.to(card), points[::20].to(card))
    assert there.centres.device.type == card.type
    assert torch.equal(here.labels, there.labels.cpu())
    torch.testing.assert_close(there.centres.cpu(), here.centres)


@pytest.mark.parametrize("kind", CovarianceKind)
def test_a_gaussian_mixture_is_the_processors(card, kind):
    points = points_of(3)
    here = em.fit(points, mixture_from_centres(points, points[::20], kind))
    on_card = points.to(card)
    there = em.fit(on_card, mixture_from_centres(on_card, on_card[::20], kind))
    assert there.mixture.means.device.type == card.type
    torch.testing.assert_close(there.mixture.means.cpu(), here.mixture.means)


def of_a_preference(_):
    return preference_run(SHORT_RUN), None


def of_own_labels(_):
    return own_tuning_run(OwnTuningConfig(steps=1), OWN), OWN.to_text()


def of_a_written_text(folder):
    tiny = lstm_writer()
    save_checkpoint(folder / "shipped", tiny.model, tiny.meta)
    return written_text.writing_run("tiny", n_characters=256 * 8), None


@pytest.mark.parametrize("job", [of_a_preference, of_own_labels, of_a_written_text])
def test_jobs_too_small_for_a_card_say_that_they_use_none(card, tmp_path, monkeypatch, job):
    monkeypatch.setattr(written_text, "SHIPPED", tmp_path / "shipped")
    config, text = job(tmp_path)
    run = RunFolder(tmp_path / "run")
    assert list(train_here(run, config, text, card))
    assert run.status().device == "cpu"
