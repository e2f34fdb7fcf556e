import pytest
import torch

from lm_core.rng import generator
from lm_core.training.distillation import (
    expectations,
    expectations_by_character,
    likeliest_expectations,
)
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


def test_several_teachers_expect_the_mean_of_what_each_expects():
    teachers = [random_lstm(size=4, seed=seed) for seed in (1, 2)]
    mean = sum(expectations(one, TEXT, dtype=torch.float32).float() for one in teachers) / 2
    found = likeliest_expectations(teachers, TEXT, dtype=torch.float32)
    positions = torch.tensor([[0, 5], [999, 1000]])
    assert not torch.allclose(*(expectations(t, TEXT).float() for t in teachers), atol=1e-2)
    torch.testing.assert_close(found(positions), mean[positions], atol=2e-3, rtol=0.0)


def test_of_the_likeliest_tokens_the_probabilities_add_up_to_one_and_the_others_have_none():
    teacher = random_lstm(size=4)
    whole = expectations(teacher, TEXT, dtype=torch.float32).float()
    rows = likeliest_expectations([teacher], TEXT, most=2, dtype=torch.float32)(torch.arange(50))
    kept = whole[:50].topk(2)
    expected = torch.zeros_like(rows)
    expected.scatter_(1, kept.indices, kept.values / kept.values.sum(1, keepdim=True))
    torch.testing.assert_close(rows, expected, atol=3e-3, rtol=0.0)


PIECES = ("<unk>", "a", "b", "ab", "abb", "ba")
CHARACTERS = ("<unk>", "a", "b")


def test_the_next_character_is_what_the_subwords_that_go_on_so_are_expected_for():
    subwords = torch.tensor([2, 4, 1])  # b|abb|a
    after_b, after_abb, after_a = torch.tensor(
        [
            [0.10, 0.20, 0.05, 0.30, 0.25, 0.10],
            [0.00, 0.30, 0.30, 0.10, 0.10, 0.20],
            [0.50, 0.10, 0.10, 0.10, 0.10, 0.10],
        ]
    )
    rows = expectations_by_character(
        torch.stack([after_b, after_abb, after_a]), subwords, PIECES, CHARACTERS
    )
    a, b = 1, 2
    expected = torch.zeros(5, 3)
    # After b: the subwords a, ab and abb begin with a; b and ba with b; <unk> spells nothing.
    expected[0, a], expected[0, b] = 0.75 / 0.9, 0.15 / 0.9
    expected[1, b] = 1.0  # in ab or abb, begun with a, and longer
    expected[2, b] = 1.0  # in abb
    expected[3, a], expected[3, b] = 0.5, 0.5  # after abb
    expected[4, a], expected[4, b] = 0.6, 0.4  # after the text, which ends with a
    torch.testing.assert_close(rows.float(), expected, atol=1e-3, rtol=0.0)


def test_of_the_first_subword_its_own_characters_are_learned():
    rows = expectations_by_character(
        torch.full((2, 6), 1 / 6), torch.tensor([4, 2]), PIECES, CHARACTERS
    )
    assert rows[:2].tolist() == [[0.0, 0.0, 1.0]] * 2  # b and b after a


def test_a_subword_held_impossible_teaches_what_came():
    expected = torch.zeros(2, 6)
    expected[:, 5] = 1.0  # ba, but abb came
    rows = expectations_by_character(expected, torch.tensor([1, 4]), PIECES, CHARACTERS)
    assert rows[1:3].tolist() == [[0.0, 0.0, 1.0]] * 2
    assert rows.float().sum(1).tolist() == pytest.approx([1.0] * 4, abs=2e-3)


def test_subwords_of_one_character_are_taught_as_they_are():
    teacher = random_pair_model()
    rows = expectations(teacher, TEXT)
    same = expectations_by_character(rows, TEXT, "abcd", "abcd")
    torch.testing.assert_close(same, rows, atol=1e-3, rtol=0.0)
