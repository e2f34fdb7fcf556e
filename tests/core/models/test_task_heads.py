"""The heads on the encoder: what each one looks at, its loss, and which answers count as right."""

import math

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.models.task_heads import (
    NOT_ASKED,
    SEQUENCE,
    SPAN,
    TOKENS,
    TaskModel,
    best_labels,
    right_answers,
    second_text,
    task_loss,
)
from lm_core.rng import generator

CONFIG = MaskedLanguageModelConfig(10, width=8, heads=2, layers=1, longest=16)
FIRST, SEPARATOR, PADDING = CONFIG.first_id, CONFIG.separator_id, CONFIG.padding_id
TOKENS_IN = torch.tensor(
    [
        [FIRST, 1, 2, SEPARATOR, 3, 4, 5, SEPARATOR],
        [FIRST, 6, SEPARATOR, 7, 8, SEPARATOR, PADDING, PADDING],
    ]
)
LENGTHS = torch.tensor([8, 6])


def a_model(kind, n_labels=3):
    encoder = MaskedLanguageModel(CONFIG)
    encoder.initialise(generator(1))
    return TaskModel(encoder, kind, n_labels, generator(2)).eval()


def test_a_class_is_read_off_the_mean_of_the_text_alone():
    model = a_model(SEQUENCE)
    hidden = model.encoder.hidden_states(TOKENS_IN, LENGTHS)
    mean = torch.stack([hidden[0].mean(0), hidden[1, :6].mean(0)])
    torch.testing.assert_close(model(TOKENS_IN, LENGTHS), model.head(mean))
    short = model(TOKENS_IN[1:, :6], LENGTHS[1:])
    torch.testing.assert_close(model(TOKENS_IN, LENGTHS)[1:], short)


def test_tags_are_read_off_every_vector():
    model = a_model(TOKENS)
    hidden = model.encoder.hidden_states(TOKENS_IN, LENGTHS)
    torch.testing.assert_close(model(TOKENS_IN, LENGTHS), model.head(hidden))


def test_a_span_lies_in_the_second_text():
    assert second_text(TOKENS_IN, SEPARATOR).nonzero().tolist() == [
        [0, 4], [0, 5], [0, 6], [1, 3], [1, 4],
    ]  # fmt: skip
    logits = a_model(SPAN, 2)(TOKENS_IN, LENGTHS)
    assert logits.shape == (2, 2, 8)
    finite = logits.isfinite()
    assert torch.equal(finite[:, 0], second_text(TOKENS_IN, SEPARATOR))
    assert torch.equal(finite[:, 0], finite[:, 1])


def test_the_loss_is_that_of_what_is_asked():
    logits = torch.tensor([[[2.0, 0.0], [0.0, 0.0], [9.0, 9.0]]])  # (1, 3, 2)
    targets = torch.tensor([[0, 1, NOT_ASKED]])
    expected = (math.log(1 + math.exp(-2.0)) + math.log(2.0)) / 2
    assert task_loss(logits, targets).item() == pytest.approx(expected, rel=1e-6)
    spans = torch.tensor([[[1.0, -math.inf, 1.0], [0.0, -math.inf, 0.0]]])  # (1, 2, 3)
    assert task_loss(spans, torch.tensor([[0, 2]])).item() == pytest.approx(math.log(2.0))


def test_a_span_never_ends_before_it_begins():
    first, last = [0.0, 1.0, 5.0], [9.0, 1.0, 0.0]
    logits = torch.tensor([[first, last]])
    assert best_labels(logits, SPAN).tolist() == [[0, 0]]  # 0 + 9 beats 5 + 0; 2 to 0 is no span
    barred = logits.clone()
    barred[..., 0] = -math.inf
    assert best_labels(barred, SPAN).tolist() == [[2, 2]]


def test_right_answers():
    logits = torch.tensor([[1.0, 2.0], [3.0, 0.0]])
    assert right_answers(logits, torch.tensor([1, 1]), SEQUENCE).tolist() == [True, False]
    tags = torch.tensor([[[0.0, 1.0], [1.0, 0.0], [1.0, 0.0]]])
    assert right_answers(tags, torch.tensor([[1, NOT_ASKED, 1]]), TOKENS).tolist() == [True, False]
    spans = torch.tensor([[[5.0, 0.0], [0.0, 5.0]], [[5.0, 0.0], [5.0, 0.0]]])
    assert right_answers(spans, torch.tensor([[0, 1], [0, 1]]), SPAN).tolist() == [True, False]


def test_the_encoders_own_output_layer_is_left_alone():
    model = a_model(SEQUENCE)
    n_output = sum(weight.numel() for weight in model.encoder.output.parameters())
    n_head = 3 * 8 + 3
    assert model.learned_parameter_count == model.encoder.parameter_count - n_output + n_head
    model.encoder.requires_grad_(False)
    assert model.learned_parameter_count == n_head


@pytest.mark.parametrize(("kind", "n_labels"), [("sentence", 2), (SEQUENCE, 0)])
def test_refused(kind, n_labels):
    with pytest.raises(SettingError):
        a_model(kind, n_labels)
