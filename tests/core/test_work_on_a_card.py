"""Work beside the trainings of language models on a graphics card, a pretended one.

Writing, beam search, translation, clusters, and all that learns without a queue; and the jobs that use
no card say so.
"""

from copy import deepcopy
from dataclasses import replace
from functools import partial
from itertools import islice

import pytest
import torch

from lm_core.clustering import em, k_means
from lm_core.clustering.gaussian_mixture import CovarianceKind
from lm_core.clustering.initialisation import mixture_from_centres
from lm_core.experiments.ablations import variants
from lm_core.experiments.ablations.training import train_variant
from lm_core.experiments.assistant.tuning import lessons, tune
from lm_core.experiments.fine_tuning.experiment import own_tuning_run
from lm_core.experiments.fine_tuning.own_tuning import OwnTuningConfig
from lm_core.experiments.fine_tuning.settings import METHODS
from lm_core.experiments.fine_tuning.training import FineTuning
from lm_core.experiments.masked_language_model.training import MaskedTraining
from lm_core.experiments.model_ladder.training import RECIPES as RUNGS
from lm_core.experiments.model_ladder.training import train_rung
from lm_core.experiments.part_of_speech_tagging.training import TaggerTraining, predict_tags
from lm_core.experiments.preferences import settings as preference_settings
from lm_core.experiments.preferences.comparisons import fit_reward_model, judge_pairs, write_pool
from lm_core.experiments.preferences.experiment import preference_run
from lm_core.experiments.preferences.prompts import TRAINING, vocabulary
from lm_core.experiments.preferences.rules import RULES, SHORT
from lm_core.experiments.preferences.settings import REWARD_MODEL, TuningConfig
from lm_core.experiments.preferences.tuning import PreferencePairs, Rewarding, Tuning
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.written_text import experiment as written_text
from lm_core.generation.batch_generation import generate_batch
from lm_core.generation.beam_search import beam_search
from lm_core.generation.sampling import SamplingSettings
from lm_core.generation.text_generation import TextGeneration
from lm_core.jobs.run_folder import RunFolder
from lm_core.models import tagger
from lm_core.models.encoder_decoder import EncoderDecoderConfig
from lm_core.models.encoder_decoder_transformer import EncoderDecoderTransformerConfig
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.ngram import estimate
from lm_core.models.placement import device_of
from lm_core.models.recurrent_language_model import LSTMLanguageModel, LSTMLanguageModelConfig
from lm_core.models.transformer import TransformerLanguageModel, TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.training_text import Book, TrainingText
from lm_core.text.translation_vocabulary import SIZE
from lm_core.training.checkpoints import load_checkpoint, save_checkpoint
from tests.core.experiments.ablations import test_ablations as ablations
from tests.core.experiments.fine_tuning import test_training as tuning_texts
from tests.core.experiments.fine_tuning.test_own_labels import OWN
from tests.core.experiments.masked_language_model import test_masked_language_model as masked
from tests.core.experiments.part_of_speech_tagging import test_training as taggers
from tests.core.experiments.preferences.test_experiment import SHORT_RUN
from tests.core.experiments.translation import test_experiment as translation
from tests.core.experiments.word2vec import test_experiment as word_vectors
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
    steps = goes_through(run, translation_run(recipe), card)
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


def of_masks(device):
    return MaskedTraining(
        MaskedLanguageModel(masked.CHARACTERS), masked.CONFIG, masked.SEGMENTS, device=device
    )


def of_labels(method, device):
    encoder = MaskedLanguageModel(tuning_texts.MODEL)
    encoder.initialise(generator(1))
    config = replace(tuning_texts.QUICK, method=method, steps=4)
    return FineTuning(encoder.to(device), config, tuning_texts.classes(), 2)


def of_comparisons(method, device):
    """The policy of a fresh writer, rewarded by a reward model that its own texts were judged for."""
    size = len(vocabulary())
    policy = TransformerLanguageModel(TransformerLanguageModelConfig(size, 8, 2, 1, context=32))
    policy.initialise(generator(1))
    policy.requires_grad_(False).to(device)
    pool = write_pool(policy, TRAINING[:4], 4, generator(2))
    features = pool.features.flatten(0, 1)
    reward = fit_reward_model(features, judge_pairs(pool.judged(RULES[SHORT])), features)
    pairs = PreferencePairs(*torch.randint(1, size, (2, 6, 24), generator=generator(4)))
    config = TuningConfig(SHORT, method, REWARD_MODEL, steps=4, prompts=2, texts=2)
    return Tuning(policy, config, Rewarding(RULES[SHORT], 0.0, 1.0, reward), pairs)


LEARNERS = {
    "masked language model": of_masks,
    **{f"fine-tuning, {method}": partial(of_labels, method) for method in METHODS},
    **{f"preferences, {m}": partial(of_comparisons, m) for m in preference_settings.METHODS},
}


@pytest.mark.parametrize("name", LEARNERS)
def test_a_learner_is_the_processors_and_goes_on_where_it_was(card, name):
    begin = LEARNERS[name]
    here = [step.loss for step in begin("cpu")]
    begun = begin(card)
    losses = [step.loss for step in islice(begun, 2)]
    resumed = begin(card)
    resumed.load_state_dict(begun.state_dict())
    losses += [step.loss for step in resumed]
    assert losses == pytest.approx(here, rel=1e-3, abs=1e-5)  # policies: sums of 20 logarithms
    assert all(p.device.type == card.type for p in resumed.loop.parameters)


def losses_of_a_tagger(config, device):
    training = TaggerTraining(config, replace(taggers.CONFIG, steps=4), taggers.ENCODED, device)
    losses = [step.loss for step in training]
    return losses, [tags.tolist() for tags in predict_tags(training.model, taggers.ENCODED)]


def losses_of_an_ablation(causal, device):
    text = TrainingText(tokens_of_the_book(4_000), SOURCE, "invented", "0" * 64)
    variant = ablations.small(causal=causal)
    model, record = train_variant(variant, text, device)
    assert device_of(model).type == torch.device(device).type
    return [*record.curve.loss, record.validation.loss], record.snapshots[-1].text


def losses_of_a_rung(name, folder, device):
    recipe = RUNGS[name]
    training = replace(recipe.training, steps=3, batch=4, window=12, warmup_steps=1)
    book = Book(tokens_of_the_book(4_000), SOURCE, "small", "0" * 64, licence_start=3_500)
    saved = load_checkpoint(train_rung(replace(recipe, training=training), book, folder, device))
    assert saved.meta.device == torch.device(device).type
    return [float(weight.detach().abs().sum()) for weight in saved.model.parameters()], name


def losses_of_answers(device):
    model = TransformerLanguageModel(
        TransformerLanguageModelConfig(len(FULL), width=8, heads=2, layers=1, context=80)
    )
    model.initialise(generator(1))
    steps = tune(model.to(device), lessons(("house", "river")), FULL, generator(2), steps=2)
    return [step.loss for step in steps], ""


def tokens_of_the_book(n):
    return torch.randint(1, len(SOURCE), (n,), generator=generator(0)).numpy()


TAGGERS = {
    "window": tagger.WindowTaggerConfig(**taggers.SIZES, window=1, hidden_size=16),
    "recurrent": tagger.RecurrentTaggerConfig(**taggers.SIZES, hidden_size=8),
    "transformer": tagger.TransformerTaggerConfig(**taggers.SIZES, width=16, heads=2, layers=1),
}
TO_THE_END = {
    **{f"tagger, {name}": partial(losses_of_a_tagger, config) for name, config in TAGGERS.items()},
    "ablation": partial(losses_of_an_ablation, True),
    "ablation without a mask": partial(losses_of_an_ablation, False),
    **{f"rung, {name}": partial(losses_of_a_rung, name) for name in RUNGS},
    "answers": losses_of_answers,
}


@pytest.mark.parametrize("name", TO_THE_END)
def test_what_is_trained_to_its_end_is_the_processors(card, tmp_path, monkeypatch, name):
    monkeypatch.setattr(variants, "TRAINING", replace(ablations.SHORT, steps=10))
    given = [tmp_path / "rung"] if name.startswith("rung") else []
    here, made_here = TO_THE_END[name](*given, "cpu")
    there, made_there = TO_THE_END[name](*given, card)
    assert there == pytest.approx(here, rel=1e-3)
    assert made_there == made_here


def of_a_preference(_):
    return preference_run(replace(SHORT_RUN, steps=4)), None


def of_own_labels(_):
    return own_tuning_run(OwnTuningConfig(steps=4), OWN), OWN.to_text()


def of_a_written_text(folder):
    tiny = lstm_writer()
    save_checkpoint(folder / "shipped", tiny.model, tiny.meta)
    return written_text.writing_run("tiny", n_characters=256 * 8), None


def of_word_vectors(_):
    return word_vectors.a_run(), word_vectors.TEXT


@pytest.mark.parametrize(
    "job", [of_a_preference, of_own_labels, of_a_written_text, of_word_vectors]
)
def test_jobs_too_small_for_a_card_use_none_are_stopped_and_go_on(card, tmp_path, monkeypatch, job):
    monkeypatch.setattr(written_text, "SHIPPED", tmp_path / "shipped")
    config, text = job(tmp_path)
    run = RunFolder(tmp_path / "run")
    steps = goes_through(run, config, card, text)
    assert steps[-1].step == config.training["steps"]
    assert run.status().device == "cpu"
