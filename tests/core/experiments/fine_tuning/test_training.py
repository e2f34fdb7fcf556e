"""Tunings on texts small enough to see through: what each method learns, and that a run resumes."""

from dataclasses import replace

import pytest
import torch

from lm_core.errors import CheckpointError, SettingError, TextError
from lm_core.experiments.fine_tuning import settings
from lm_core.experiments.fine_tuning.labelled_texts import (
    LabelledTexts,
    between_separators,
    labelled_texts,
)
from lm_core.experiments.fine_tuning.training import (
    FineTuning,
    accuracy,
    learned_weights,
    prepared_model,
)
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED
from lm_core.rng import generator

MODEL = MaskedLanguageModelConfig(12, width=16, heads=2, layers=1, longest=16)
QUICK = settings.FineTuningConfig(
    settings.AUTHOR, settings.TUNED, 24, steps=30, learning_rate=0.01, rank=2, dtype="float32"
)


@pytest.fixture(scope="module")
def encoder():
    model = MaskedLanguageModel(MODEL)
    model.initialise(generator(1))
    torch.nn.init.normal_(model.embedding.weight, generator=generator(2))
    return model.eval()


def classes(n=24):
    """Return texts whose class is whether they hold a 5."""
    rng = generator(3)
    texts = torch.randint(0, 5, (n, 6), generator=rng)
    targets = torch.arange(n) % 2
    texts[targets == 1, 2] = 5
    return labelled_texts(
        [between_separators([row], MODEL) for row in texts.tolist()], targets.tolist(), MODEL
    )


def weights_of(model):
    return {name: weight.detach().clone() for name, weight in model.named_parameters()}


def tuned(encoder, config, texts=None, n_labels=2):
    tuning = FineTuning(encoder, config, texts or classes(), n_labels)
    return tuning, [step.loss for step in tuning]


@pytest.mark.parametrize("method", settings.METHODS)
def test_every_method_learns_and_the_pretrained_model_stays(encoder, method):
    before = weights_of(encoder)
    rate = 0.1 if method == settings.FROZEN else 0.01
    tuning, losses = tuned(encoder, replace(QUICK, method=method, learning_rate=rate))
    assert losses[-1] < 0.7 * losses[0]
    assert accuracy(tuning.model.eval(), classes()) > 0.9
    assert all(torch.equal(before[name], weight) for name, weight in weights_of(encoder).items())


def test_what_each_method_changes(encoder):
    def changed(method):
        config = replace(QUICK, method=method, steps=3)
        tuning = FineTuning(encoder, config, classes(), 2)
        before = weights_of(tuning.model)
        assert len(list(tuning)) == 3
        after = weights_of(tuning.model)
        return {name for name in after if not torch.equal(before[name], after[name])}

    head = {"head.weight", "head.bias"}
    assert changed(settings.FROZEN) == head
    thin = changed(settings.LORA) - head
    assert thin
    assert all(name.endswith((".up", ".down")) for name in thin)
    everything = changed(settings.TUNED)
    assert {"encoder.embedding.weight", "encoder.output_norm.weight"} <= everything
    assert not any(name.startswith("encoder.output.") for name in everything)
    assert changed(settings.SCRATCH) == everything


def test_from_scratch_forgets_what_was_read(encoder):
    own = prepared_model(encoder, replace(QUICK, method=settings.SCRATCH), 2, generator(0)).encoder
    assert not torch.equal(own.embedding.weight, encoder.embedding.weight)
    kept = prepared_model(encoder, QUICK, 2, generator(0)).encoder
    assert torch.equal(kept.embedding.weight, encoder.embedding.weight)


def test_only_the_drawn_examples_are_learned_from(encoder):
    texts = classes(24)
    wrong = texts._replace(targets=1 - texts.targets)
    order = torch.randperm(24, generator=generator(QUICK.seed))
    mixed = texts.targets.clone()
    mixed[order[4:]] = wrong.targets[order[4:]]
    config = replace(QUICK, n_labelled=4, steps=3)
    assert (
        tuned(encoder, config, texts)[1] == tuned(encoder, config, texts._replace(targets=mixed))[1]
    )


def test_seeds_differ_and_repeat(encoder):
    config = replace(QUICK, steps=2)
    first = tuned(encoder, config)[1]
    assert tuned(encoder, config)[1] == first
    assert tuned(encoder, replace(config, seed=1))[1] != first


@pytest.mark.parametrize("method", [settings.TUNED, settings.LORA, settings.FROZEN])
def test_a_resumed_tuning_goes_on_as_if_nothing_had_happened(encoder, method):
    config = replace(QUICK, method=method, steps=6)
    whole = tuned(encoder, config)[1]
    begun = FineTuning(encoder, config, classes(), 2)
    steps = iter(begun)
    losses = [next(steps).loss for _ in range(3)]
    resumed = FineTuning(encoder, config, classes(), 2)
    resumed.load_state_dict(begun.state_dict())
    losses += [step.loss for step in resumed]
    assert losses == pytest.approx(whole, rel=1e-5)


def test_a_state_of_another_tuning_is_refused(encoder):
    state = FineTuning(encoder, QUICK, classes(), 2).state_dict()
    with pytest.raises(CheckpointError, match="does not fit"):
        FineTuning(encoder, replace(QUICK, method=settings.LORA), classes(), 2).load_state_dict(
            state
        )


def test_low_rank_weights_are_all_that_is_stored(encoder):
    model = prepared_model(encoder, replace(QUICK, method=settings.LORA), 2, generator(0))
    stored = learned_weights(model)
    assert sum(weight.numel() for weight in stored.values()) == model.learned_parameter_count


def test_tags_and_spans_are_scored_where_they_are_asked(encoder):
    tokens = [between_separators([[1, 2]], MODEL), between_separators([[3]], MODEL)]
    tags = labelled_texts(tokens, [[NOT_ASKED, 0, 1, NOT_ASKED], [NOT_ASKED, 1, NOT_ASKED]], MODEL)
    assert tags.targets.tolist()[1] == [NOT_ASKED, 1, NOT_ASKED, NOT_ASKED]
    model = prepared_model(encoder, replace(QUICK, task=settings.TAG), 2, generator(0)).eval()
    with torch.no_grad():
        model.head.weight.zero_()
        model.head.bias.copy_(torch.tensor([0.0, 1.0]))
    assert accuracy(model, tags) == pytest.approx(2 / 3)
    pair = between_separators([[1], [2, 3]], MODEL)
    spans = labelled_texts([pair, pair], [(3, 3), (3, 4)], MODEL)
    model = prepared_model(encoder, replace(QUICK, task=settings.SPEAKER), 2, generator(0)).eval()
    assert accuracy(model, spans) in (0.0, 0.5)


def test_batches_have_no_more_padding_than_they_need():
    texts = labelled_texts(
        [between_separators([[1] * n], MODEL) for n in (2, 9, 3)],
        [[0] * 4, [0] * 11, [0] * 5],
        MODEL,
    )
    part = texts.take(torch.tensor([2, 0]))
    assert part.tokens.shape == part.targets.shape == (2, 5)
    assert part.tokens[1].tolist() == [MODEL.first_id, 1, 1, MODEL.separator_id, MODEL.padding_id]
    assert isinstance(texts.first(1), LabelledTexts)
    assert texts.first(9).tokens.shape == (3, 11)


def test_a_text_must_fit():
    with pytest.raises(TextError, match="at most 16 subwords"):
        between_separators([[1] * 8, [2] * 6], MODEL)


@pytest.mark.parametrize(
    "wrong",
    [{"task": "topic"}, {"method": "prompting"}, {"dtype": "int8"}, {"n_labelled": 0},
     {"steps": 0}, {"learning_rate": 0.0}, {"rank": 0}],
)  # fmt: skip
def test_settings_out_of_range_are_refused(wrong):
    with pytest.raises(SettingError):
        replace(QUICK, **wrong)


def test_more_examples_are_never_learned_from_in_fewer_steps():
    steps = [settings.steps_for(n) for n in (1, 10, 50, 100, 2_000, 10_000, 50_000)]
    assert steps == sorted(steps)
