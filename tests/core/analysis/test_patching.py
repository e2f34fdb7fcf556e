"""Cells carried from one run into another: what must hold exactly."""

import pytest
import torch

from lm_core.analysis.patching import (
    Patching,
    affordable_stages,
    cell_stages,
    lead,
    telling_answers,
)
from lm_core.analysis.residual_stream import Stage, streams, trace
from lm_core.errors import SettingError, TextError
from lm_core.models.transformer_config import POSITIONS, TransformerLanguageModelConfig
from tests.core.analysis.test_residual_stream import DEEP
from tests.core.models.test_transformer import SMALL, make, tokens_of

B = tokens_of(1, 6)[0]
A = torch.cat([B[:2], (B[2:3] + 1) % 11, B[3:]])  # differs from B in the third of six tokens
ALL = torch.ones(1, 6, dtype=torch.bool)
EACH = torch.eye(6, dtype=torch.bool)


def make_double(**changes):
    return make(**changes).double()


@pytest.mark.parametrize("position", POSITIONS)
@pytest.mark.parametrize("norm", ["pre", "none"])
def test_each_patch_is_what_the_model_makes_of_the_changed_value(position, norm):
    model = make_double(position=position, norm=norm)
    patching, run_a = Patching(model, A, B), trace(model, A)
    for stage in cell_stages(model.config):
        patched = patching.patched(stage, EACH)
        for token in range(6):

            def carry(at, value, stage=stage, token=token):
                if at != stage:
                    return value
                return torch.where(EACH[token][:, None], run_a[stage], value)

            expected = trace(model, B, change=carry).logits[-1]
            torch.testing.assert_close(patched[token], expected)


@pytest.mark.parametrize("settings", [{}, DEEP])
def test_a_prompt_patched_with_itself_does_not_change(settings):
    model = make_double(**settings)
    patching = Patching(model, B, B)
    for stage in cell_stages(model.config):
        torch.testing.assert_close(patching.patched(stage, ALL)[0], trace(model, B).logits[-1])
        torch.testing.assert_close(
            patching.patched(stage, EACH), trace(model, B).logits[-1].expand(6, -1)
        )


@pytest.mark.parametrize("settings", [{}, DEEP])
def test_the_whole_stream_of_a_stage_carries_the_whole_answer(settings):
    model = make_double(**settings)
    patching, expected = Patching(model, A, B), trace(model, A).logits[-1]
    for stage in streams(model.config):
        torch.testing.assert_close(patching.patched(stage, ALL)[0], expected)
    # What one sublayer adds is not all there is.
    assert not torch.allclose(patching.patched(Stage("attention", 1), ALL)[0], expected)


def test_the_map_says_zero_before_the_difference_and_one_for_a_cell_that_is_all():
    patching = Patching(make_double(), A, B)
    found = patching.map()
    assert found.effects.shape == (9, 6)
    assert found.first_different == 2
    assert (found.effects[:, :2] == 0).all()
    # One token differs, so its embedding is all that differs; in the end only the last token counts.
    one = torch.tensor(1.0)
    torch.testing.assert_close(found.effects[0, 2], one)
    torch.testing.assert_close(found.effects[-1, 5], one)
    torch.testing.assert_close(found.effects[0, 3:], torch.zeros(3))
    torch.testing.assert_close(found.effects[-1, :5], torch.zeros(5))
    a, b = patching.logits
    assert found.answers == telling_answers(a, b)
    torch.testing.assert_close(found.probabilities_of_a, a.softmax(-1))
    torch.testing.assert_close(found.probabilities_of_b, b.softmax(-1))


@pytest.mark.parametrize("position", POSITIONS)
def test_the_map_is_each_patch_by_itself(position):
    patching = Patching(make_double(position=position), A, B)
    found, (a, b) = patching.map(), patching.logits
    span = lead(a, found.answers) - lead(b, found.answers)
    for stage, effects in zip(found.stages, found.effects, strict=True):
        patched = lead(patching.patched(stage, EACH), found.answers)
        expected = (patched - lead(b, found.answers)) / span
        torch.testing.assert_close(effects, expected.float(), atol=1e-5, rtol=1e-5)
    some = found.stages[2::3]
    torch.testing.assert_close(patching.map(stages=some).effects, found.effects[2::3])


def test_the_answers_are_those_that_the_prompts_tell_apart():
    a, b = torch.tensor([2.0, 1.0, 0.0]), torch.tensor([2.0, 0.0, 1.0])
    assert telling_answers(a, b) == (1, 2)


def test_a_long_map_on_a_large_model_has_fewer_stages_of_the_stream_alone():
    small = make().config
    assert affordable_stages(small, 6) == cell_stages(small)
    large = TransformerLanguageModelConfig(**SMALL | {"width": 768, "layers": 12, "context": 64})
    assert affordable_stages(large, 4) == cell_stages(large)
    assert affordable_stages(large, 12) == streams(large)
    for n_changed, every in ((18, 1), (24, 2), (31, 3), (34, 4), (64, 4)):
        after = [stage.layer for stage in affordable_stages(large, n_changed)]
        assert after == [None, *range(every - 1, 12, every)], n_changed


def test_progress_is_told_and_each_token_is_a_turn():
    told, turns = [], []

    class Turn:
        def __enter__(self):
            turns.append(1)

        def __exit__(self, *_):
            pass

    Patching(make(), A, B).map(model_turn=Turn, on_progress=told.append)
    assert len(turns) == len(told) == 4
    assert told == [0.25, 0.5, 0.75, 1.0]


def test_prompts_that_cannot_be_compared_are_refused_with_the_reason():
    with pytest.raises(TextError, match="A has 6 and B has 5"):
        Patching(make(), A, B[:5])
    with pytest.raises(TextError, match="1 to 6 tokens, these have 9"):
        Patching(make(), *tokens_of(2, 9))
    with pytest.raises(TextError, match="different predictions"):
        Patching(make(), B, B).map()
    with pytest.raises(SettingError, match="norm 'post'"):
        Patching(make(norm="post"), A, B)
    with pytest.raises(SettingError, match="causal False"):
        Patching(make(causal=False), A, B)
