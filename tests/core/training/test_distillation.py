import pytest
import torch

from lm_core.rng import generator
from lm_core.training.distillation import expectations
from tests.core.toy_models import random_lstm, random_pair_model

TEXT = torch.randint(0, 4, (1001,), generator=generator(3))


@pytest.mark.parametrize("batch", [1, 7, 64, 1001])
def test_each_row_is_what_is_expected_after_its_token(batch):
    teacher = random_pair_model()
    rows = expectations(teacher, TEXT, batch=batch)
    assert rows.dtype is torch.float16
    torch.testing.assert_close(rows.float(), teacher.table[TEXT].softmax(-1), atol=1e-3, rtol=0.0)


def test_streams_begin_with_what_came_before_them():
    teacher = random_lstm(size=4)
    one, many = (expectations(teacher, TEXT, batch=n, dtype=torch.float32) for n in (1, 9))
    torch.testing.assert_close(one, many, atol=2e-3, rtol=0.0)
    with torch.no_grad():
        logits, _ = teacher(TEXT[None], teacher.initial_state(1))
    # Far from the beginning nothing is left of how it was read.
    exact = logits[0, 300:].softmax(-1)
    torch.testing.assert_close(one[300:].float(), exact, atol=2e-3, rtol=0.0)


def test_dropout_is_off_and_rows_sum_to_one():
    teacher = random_lstm(size=4).train()
    rows = expectations(teacher, TEXT, dtype=torch.float32)
    assert not teacher.training
    torch.testing.assert_close(rows.float().sum(-1), torch.ones(1001), atol=2e-3, rtol=0.0)
