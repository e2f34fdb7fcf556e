import math
from dataclasses import FrozenInstanceError, replace

import pytest
import torch

from lm_core.errors import SettingError, ShapeError
from lm_core.generation.logit_transforms import apply_temperature, penalise_repetition
from lm_core.generation.sampling import (
    SamplingSettings,
    draw,
    draw_each,
    entropy_bits,
    first_mu,
    next_probabilities,
    run_chain,
)
from lm_core.rng import generator

NO_HISTORY = torch.empty(0, dtype=torch.int64)
EACH_ALONE = {
    "repetition penalty": SamplingSettings(repetition_penalty=1.5),
    "temperature": SamplingSettings(temperature=0.5),
    "top-n-sigma": SamplingSettings(top_n_sigma=1.0),
    "top-k": SamplingSettings(top_k=3),
    "typical": SamplingSettings(typical_p=0.5),
    "top-p": SamplingSettings(top_p=0.5),
    "min-p": SamplingSettings(min_p=0.5),
    "mirostat": SamplingSettings(mirostat_tau=1.0),
}
ALL = SamplingSettings(0.8, 40, 0.95, 0.01, 0.95, 3.0, 1.1, 8, 2.0, 0.2)


def random_logits(*shape: int, seed: int = 0) -> torch.Tensor:
    return torch.randn(shape or (12,), generator=generator(seed)) * 2.0


# The chain ------------------------------------------------------------------------------------


def test_the_stages_stand_in_the_stated_order_after_the_models_own():
    logits = random_logits()
    trace = run_chain(logits, SamplingSettings(), NO_HISTORY)
    assert [stage.name for stage in trace.stages] == ["model", *EACH_ALONE]
    assert trace.stages[0].logits is logits
    torch.testing.assert_close(trace.stages[0].probabilities, logits.softmax(-1))


def test_default_settings_are_plain_sampling():
    logits = random_logits()
    trace = run_chain(logits, SamplingSettings(), torch.tensor([1, 2]))
    assert [stage.active for stage in trace.stages] == [True] + [False] * 8
    assert all(stage.kept.all() for stage in trace.stages)
    assert torch.equal(trace.probabilities, logits.softmax(-1))


@pytest.mark.parametrize("name", EACH_ALONE)
def test_each_setting_acts_at_its_own_stage_and_nowhere_else(name):
    trace = run_chain(random_logits(), EACH_ALONE[name], torch.tensor([1, 2]))
    changed = [
        after.name
        for before, after in zip(trace.stages, trace.stages[1:], strict=False)
        if not torch.equal(before.probabilities, after.probabilities)
    ]
    assert changed == [name]
    assert [stage.name for stage in trace.stages[1:] if stage.active] == [name]


@pytest.mark.parametrize("settings", [SamplingSettings(), ALL, *EACH_ALONE.values()])
@pytest.mark.parametrize("shape", [(12,), (5, 12)])
def test_the_lean_path_equals_the_trace(settings, shape):
    logits, history = random_logits(*shape), torch.tensor([3, 3, 7])
    for mu in (None, 2.5):
        trace = run_chain(logits, settings, history, mu)
        assert torch.equal(next_probabilities(logits, settings, history, mu), trace.probabilities)


@pytest.mark.parametrize("seed", range(5))
def test_probabilities_sum_to_one_and_cuts_only_ever_shrink_the_kept_set(seed):
    trace = run_chain(random_logits(seed=seed), ALL, torch.tensor([0]))
    for before, after in zip(trace.stages, trace.stages[1:], strict=False):
        assert float(after.probabilities.sum()) == pytest.approx(1.0, abs=1e-6)
        assert not (after.kept & ~before.kept).any()
        assert (after.probabilities[~after.kept] == 0.0).all()


def test_the_penalty_comes_before_the_temperature_and_sees_the_window_only():
    logits, history = random_logits(), torch.tensor([0, 1, 2, 3])
    settings = SamplingSettings(temperature=0.5, repetition_penalty=2.0, repetition_window=2)
    by_hand = apply_temperature(penalise_repetition(logits, torch.tensor([2, 3]), 2.0), 0.5)
    assert torch.equal(run_chain(logits, settings, history).stages[-1].logits, by_hand)


def test_later_cuts_see_the_distribution_after_temperature():
    logits = torch.tensor([0.5, 0.3, 0.2]).log()
    flat = run_chain(logits, SamplingSettings(temperature=10.0, top_p=0.6), NO_HISTORY)
    sharp = run_chain(logits, SamplingSettings(temperature=0.1, top_p=0.6), NO_HISTORY)
    assert int(flat.stages[-1].kept.sum()) == 2
    assert int(sharp.stages[-1].kept.sum()) == 1


def test_mirostat_begins_with_twice_its_aim():
    logits = torch.tensor([0.5, 0.25, 0.125, 0.125]).log()
    settings = SamplingSettings(mirostat_tau=1.1)
    assert first_mu(settings) == 2.2
    assert run_chain(logits, settings, NO_HISTORY).stages[-1].kept.tolist() == [
        True,
        True,
        False,
        False,
    ]


def test_the_chain_leaves_logits_and_history_alone():
    logits, history = random_logits(), torch.tensor([1, 2])
    before = logits.clone()
    run_chain(logits, ALL, history)
    assert torch.equal(logits, before)
    assert history.tolist() == [1, 2]


def test_entropy_and_effective_choices():
    stage = run_chain(torch.zeros(8), SamplingSettings(top_k=4), NO_HISTORY).stages
    assert float(stage[0].entropy_bits) == pytest.approx(3.0)
    assert float(stage[-1].entropy_bits) == pytest.approx(2.0)
    assert float(stage[-1].effective_choices) == pytest.approx(4.0)
    assert float(entropy_bits(torch.tensor([1.0, 0.0]))) == 0.0


# Settings -------------------------------------------------------------------------------------


def test_settings_are_frozen_hashable_and_know_what_is_active():
    settings = SamplingSettings(top_p=0.9, repetition_window=3)
    assert settings.active == {"top_p"}
    assert hash(settings) == hash(SamplingSettings(top_p=0.9, repetition_window=3))
    with pytest.raises(FrozenInstanceError):
        settings.top_p = 1.0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("temperature", -0.1),
        ("temperature", 1e-9),
        ("top_k", -1),
        ("top_p", 0.0),
        ("min_p", 1.1),
        ("typical_p", 0.0),
        ("top_n_sigma", math.inf),
        ("repetition_penalty", 0.0),
        ("repetition_window", 0),
        ("mirostat_tau", math.nan),
        ("mirostat_rate", 0.0),
    ],
)
def test_a_setting_out_of_range_is_named_with_its_value(name, value):
    with pytest.raises(SettingError, match=rf"{name} must .*got {value}"):
        replace(SamplingSettings(), **{name: value})


# The draw -------------------------------------------------------------------------------------


def test_draw_lays_the_shares_out_by_id():
    probabilities = torch.tensor([0.0, 0.25, 0.0, 0.5, 0.25, 0.0])
    numbers = [0.0, 0.249, 0.25, 0.749, 0.75, math.nextafter(1.0, 0.0), 1.0]
    assert [draw(probabilities, number) for number in numbers] == [1, 1, 3, 3, 4, 4, 4]


@pytest.mark.parametrize("total", [0.999, 1.0, 1.5])
def test_draw_never_leaves_the_tokens_that_have_probability(total):
    rng = generator(0)
    for size in range(1, 60):
        probabilities = torch.rand(size, generator=rng) * (torch.rand(size, generator=rng) < 0.3)
        probabilities[size // 2] = 0.1
        probabilities *= total / probabilities.sum()
        for number in (0.0, 0.5, 1.0 - 2**-53, 1.0):
            assert probabilities[draw(probabilities, number)] > 0.0


def test_drawing_each_equals_drawing_one_by_one():
    rng = generator(1)
    rows = random_logits(50, 12).softmax(-1)
    numbers = torch.rand(50, generator=rng, dtype=torch.float64)
    numbers[:2] = torch.tensor([0.0, 1.0])
    alone = [draw(row, float(number)) for row, number in zip(rows, numbers, strict=True)]
    assert draw_each(rows, numbers).tolist() == alone
    shared = [draw(rows[0], float(number)) for number in numbers]
    assert draw_each(rows[0], numbers).tolist() == shared


def test_shares_drawn_follow_the_probabilities():
    probabilities = torch.tensor([0.1, 0.2, 0.7])
    numbers = (torch.arange(1000, dtype=torch.float64) + 0.5) / 1000
    assert draw_each(probabilities, numbers).bincount().tolist() == [100, 200, 700]


def test_draw_wants_one_row():
    with pytest.raises(ShapeError, match=r"one row, \(V,\), got \(2, 3\)"):
        draw(torch.ones(2, 3), 0.5)
