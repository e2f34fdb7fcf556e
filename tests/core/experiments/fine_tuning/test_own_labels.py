"""A class's own sentences: what is accepted, and a tuning on them as a run."""

from dataclasses import replace

import pytest
import torch

from lm_core.errors import CheckpointError, RunError, SettingError, TextError
from lm_core.experiments.fine_tuning import experiment, own_labels
from lm_core.experiments.fine_tuning.own_tuning import OwnTuning, OwnTuningConfig
from lm_core.experiments.fine_tuning.settings import FROZEN, LORA, SCRATCH, TUNED
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.rng import generator
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named

SENTENCES = tuple(
    f"The {who} {what}."
    for who in ("prince", "doctor", "hussar", "countess", "old nurse", "clerk")
    for what in ("slept", "sat still", "dozed", "cried out", "fled", "ran")
)
LABELS = tuple(int(sentence.endswith(("out.", "fled.", "ran."))) for sentence in SENTENCES)
OWN = own_labels.OwnLabels(SENTENCES[:24], LABELS[:24], SENTENCES[24:])


@pytest.fixture(scope="module")
def vocabulary():
    return vocabulary_named(FULL_SUBWORDS)


@pytest.fixture(scope="module")
def encoder(vocabulary):
    config = MaskedLanguageModelConfig(len(vocabulary), width=32, heads=2, layers=1)
    model = MaskedLanguageModel(config)
    model.initialise(generator(0))
    return model


def test_sentences_are_read_one_a_line_and_once(vocabulary):
    text = "\n".join((*SENTENCES, "", "  The  clerk ran. "))
    assert own_labels.read_sentences(text, vocabulary) == SENTENCES
    with pytest.raises(TextError, match="got 3"):
        own_labels.read_sentences("\n".join(SENTENCES[:3]), vocabulary)
    with pytest.raises(TextError, match=f"to {own_labels.MOST_SENTENCES} different sentences"):
        own_labels.read_sentences(
            "\n".join(f"He had {i} horses." for i in range(own_labels.MOST_SENTENCES + 1)),
            vocabulary,
        )
    with pytest.raises(TextError, match="sentence 37 may have at most 200 characters, got 204"):
        own_labels.read_sentences("\n".join((*SENTENCES, "a" * 204)), vocabulary)
    with pytest.raises(TextError, match="sentence 37 may have at most 40 subwords"):
        own_labels.read_sentences("\n".join((*SENTENCES, "zxqj " * 30)), vocabulary)


def test_sentences_that_differ_in_emoji_alone_are_told_why_they_are_one(vocabulary):
    same = "\n".join(f"I like it {chr(0x1F600 + i)}" for i in range(40))
    with pytest.raises(
        TextError, match=r"got 1\. 40 characters are not in the vocabulary"
    ) as refused:
        own_labels.read_sentences(same, vocabulary)
    assert "“😀” in line 1" in str(refused.value)
    assert "39 lines say the same as one before, once those characters are gone" in str(
        refused.value
    )


def test_a_list_says_what_was_read_of_it(vocabulary):
    read = own_labels.what_was_read("\n".join((*SENTENCES, "", "  The  clerk ran. ")), vocabulary)
    assert read.line == "Read as a list of 36 different sentences, one a line."
    assert read.notes == (
        "1 line says the same as one before, and counts once; the first is line 38, like line 36.",
    )
    assert read.preview[1] == (SENTENCES[0],)


def test_labels_come_back_from_a_runs_text(vocabulary):
    assert own_labels.OwnLabels.from_text(OWN.to_text(), vocabulary) == OWN
    for text in ("nothing", "[]", '{"labelled": ["a"]}', OWN.to_text().replace("[0, ", "[7, ", 1)):
        with pytest.raises(SettingError):
            own_labels.OwnLabels.from_text(text, vocabulary)
    long = replace(OWN, others=("zxqj " * 30,))
    with pytest.raises(TextError, match="at most 40 subwords"):
        own_labels.OwnLabels.from_text(long.to_text(), vocabulary)


def test_impossible_labels_are_refused():
    with pytest.raises(SettingError, match="a label for each sentence, got 23 for 24"):
        replace(OWN, labels=OWN.labels[:-1])
    with pytest.raises(SettingError, match="got 21 and 3 of 24"):
        replace(OWN, labels=(1,) * 3 + (0,) * 21)
    with pytest.raises(SettingError, match="must be sentences without a label"):
        replace(OWN, others=())
    with pytest.raises(SettingError, match=f"got {own_labels.MOST_SENTENCES} and"):
        replace(OWN, others=SENTENCES[:1] * own_labels.MOST_SENTENCES)


def test_enough_is_twenty_with_some_of_each():
    n = own_labels.FOR_TUNING - own_labels.LEAST_OF_EACH
    assert own_labels.is_enough([0] * n + [1] * own_labels.LEAST_OF_EACH)
    assert not own_labels.is_enough([0] * n + [1] * (own_labels.LEAST_OF_EACH - 1))
    assert not own_labels.is_enough([0] * 2 * n + [1] * (own_labels.LEAST_OF_EACH - 1))
    assert not own_labels.is_enough([1] * 3 * n)


def test_the_least_certain_come_first_and_agreement_is_counted():
    found = {"a": 0.95, "b": 0.4, "c": 0.45, "d": 0.1}
    assert own_labels.unsure_first(found) == ["c", "b", "d", "a"]
    assert own_labels.agreements(found, {"a": 1, "b": 1, "d": 0}) == 2
    assert own_labels.agreements(found, {}) == 0


@pytest.mark.parametrize("method", [TUNED, LORA, FROZEN])
def test_both_models_learn_and_tell_the_other_sentences(encoder, vocabulary, method):
    before = {name: weight.clone() for name, weight in encoder.state_dict().items()}
    tuning = OwnTuning(encoder, OwnTuningConfig(method, steps=8), OWN, vocabulary)
    steps = list(tuning)
    assert [step.step for step in steps] == list(range(1, 9))
    assert all(step.is_news for step in steps)
    assert steps[-1].scratch_loss < steps[0].scratch_loss
    assert steps[-1].loss < steps[0].loss
    assert steps[-1].seconds > steps[0].seconds > 0.0
    found = tuning.predict()
    assert list(found) == [method, SCRATCH]
    assert all(len(values) == len(OWN.others) for values in found.values())
    assert found[method] != found[SCRATCH]
    assert all(torch.equal(weight, before[name]) for name, weight in encoder.state_dict().items())


def test_the_probability_is_that_of_label_1(encoder, vocabulary):
    tuning = OwnTuning(encoder, OwnTuningConfig(steps=80), OWN, vocabulary)
    list(tuning)
    found = dict(zip(OWN.others, tuning.predict()[TUNED], strict=True))
    of_label = [
        [found[s] for s, label in zip(SENTENCES, LABELS, strict=True) if s in found and label == k]
        for k in (0, 1)
    ]
    means = [sum(found) / len(found) for found in of_label]
    assert means[1] - means[0] > 0.3


def test_an_interrupted_tuning_goes_on_as_if_nothing_had_happened(encoder, vocabulary):
    config = OwnTuningConfig(steps=4)
    whole = OwnTuning(encoder, config, OWN, vocabulary)
    list(whole)
    half = OwnTuning(encoder, config, OWN, vocabulary)
    steps = iter(half)
    next(steps), next(steps)
    saved = half.state_dict()
    assert saved["step"] == 2
    again = OwnTuning(encoder, config, OWN, vocabulary)
    again.load_state_dict(saved)
    assert [step.step for step in again] == [3, 4]
    assert again.predict() == whole.predict()
    with pytest.raises(CheckpointError, match="does not fit"):
        again.load_state_dict({"tunings": saved["tunings"][:1]})


def test_a_run_leaves_numbers_and_no_sentences(tmp_path):
    config = experiment.own_tuning_run(OwnTuningConfig(FROZEN, steps=1), OWN)
    assert (
        config.fingerprint()
        == experiment.own_tuning_run(OwnTuningConfig(FROZEN, steps=1), OWN).fingerprint()
    )
    other = replace(OWN, labels=tuple(1 - label for label in OWN.labels))
    assert (
        config.fingerprint()
        != experiment.own_tuning_run(OwnTuningConfig(FROZEN, steps=1), other).fingerprint()
    )
    run = RunFolder(tmp_path / "run")
    assert [step.step for step in train_here(run, config, OWN.to_text())] == [1]
    found = experiment.read_predictions(run)
    assert list(found) == [FROZEN, SCRATCH]
    assert all(0.0 < p < 1.0 for values in found.values() for p in values)
    kept = [path.read_bytes() for path in run.path.rglob("*") if path.is_file()]
    assert not any(b"countess" in content for content in kept)


def test_runs_that_cannot_be_are_refused(tmp_path):
    config = experiment.own_tuning_run(OwnTuningConfig(FROZEN, steps=1), OWN)
    with pytest.raises(RunError, match="its sentences were deleted"):
        list(train_here(RunFolder(tmp_path / "a"), config))
    with pytest.raises(SettingError, match="no labelled sentences"):
        list(train_here(RunFolder(tmp_path / "b"), config, "nothing"))
    unknown = replace(config, training={**config.training, "speed": 1})
    with pytest.raises(SettingError, match="speed"):
        experiment.own_tuning_config(unknown)
    with pytest.raises(CheckpointError, match="other weights"):
        list(
            train_here(RunFolder(tmp_path / "c"), replace(config, start_sha256="0"), OWN.to_text())
        )
    with pytest.raises(RunError, match="has left no predictions"):
        experiment.read_predictions(RunFolder(tmp_path / "a"))
    for settings in ({"method": SCRATCH}, {"steps": 0}, {"dtype": "float16"}):
        with pytest.raises(SettingError):
            OwnTuningConfig(**settings)
