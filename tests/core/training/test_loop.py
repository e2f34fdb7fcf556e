import dataclasses

import pytest
import torch
from torch import nn

from lm_core.errors import CheckpointError, SettingError, TextError
from lm_core.jobs.resume import ResumeFile
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.language_modelling import Training, TrainingConfig, mean_loss, train
from lm_core.training.optimizers import learning_rate_at

MODEL = LSTMLanguageModelConfig(8, 6, 24, 1, output_dropout=0.1, recurrent_dropout=0.1)
SHORT = TrainingConfig(steps=12, batch=4, window=8, learning_rate=1e-2, warmup_steps=3)


def some_text(length=600, seed=0):
    return torch.randint(0, 8, (length,), generator=generator(seed))


def cycle(length=600):
    return torch.arange(length) % 8


def losses(steps):
    return [step.loss for step in steps]


def recorded(training):
    """The windows that the training reads from now on, as it reads them."""
    windows, predict = [], training._predict

    def record(tokens, *arguments, **settings):
        windows.append(tokens)
        return predict(tokens, *arguments, **settings)

    training._predict = record
    return windows


def test_a_text_that_can_be_predicted_is_learned_and_noise_is_not():
    config = dataclasses.replace(SHORT, steps=120)
    learned = losses(train(build(MODEL), cycle(), config))
    noise = losses(train(build(MODEL), some_text(), config))
    assert learned[0] > 1.8
    assert learned[-1] < 0.2
    assert noise[-1] > 1.7


def test_targets_are_the_next_tokens():
    training = Training(build(MODEL), cycle(), SHORT)
    inputs, targets, _ = training._next_window()
    assert inputs.shape == targets.shape == (4, 8)
    torch.testing.assert_close(targets[:, :-1], inputs[:, 1:])
    # The text is a cycle except where its end meets its beginning, which 600 % 8 == 0 hides.
    torch.testing.assert_close(targets, (inputs + 1) % 8)
    following, _, _ = training._next_window()
    torch.testing.assert_close(following[:, 0], targets[:, -1])


def test_the_state_is_carried_from_window_to_window_and_emptied_for_a_new_pass():
    text = some_text(150)  # 37 tokens a row: four windows of 8
    calm = dataclasses.replace(SHORT, learning_rate=1e-12)  # the weights stay as they are
    model = LSTMLanguageModelConfig(8, 6, 24, 1)
    training = Training(build(model), text, calm)
    windows = recorded(training)
    for n_windows in (1, 2, 3, 4):
        training.take_step()
        read = torch.cat(windows[-n_windows:], dim=1)
        _, expected = training.model(read, training.model.initial_state(4))
        torch.testing.assert_close(list(training._state), [t.detach() for t in expected])
    training.take_step()
    read = windows[-1]
    _, expected = training.model(read, training.model.initial_state(4))
    torch.testing.assert_close(list(training._state), [t.detach() for t in expected])


def test_same_seed_same_run_and_another_seed_another():
    first = losses(train(build(MODEL), some_text(), SHORT))
    again = losses(train(build(MODEL), some_text(), SHORT))
    other = losses(train(build(MODEL), some_text(), dataclasses.replace(SHORT, seed=2)))
    assert first == again
    assert first != other


def test_a_resumed_run_ends_bit_for_bit_where_an_undisturbed_one_does():
    text = some_text(150)  # four windows a pass, so a new pass begins after the interruption
    straight = Training(build(MODEL), text, SHORT)
    expected = losses(straight)
    interrupted = Training(build(MODEL), text, SHORT)
    head = [interrupted.take_step().loss for _ in range(5)]
    resumed = Training(build(MODEL), text, SHORT)
    resumed.load_state_dict(interrupted.state_dict())
    assert head + losses(resumed) == expected
    for name, weight in straight.model.state_dict().items():
        assert torch.equal(weight, resumed.model.state_dict()[name]), name


def test_a_teacher_who_knows_the_text_teaches_what_the_text_does():
    text, config = some_text(), dataclasses.replace(SHORT, held_out=0.2)
    certain = nn.functional.one_hot(text.roll(-1), 8).float()
    alone, taught = build(MODEL), build(MODEL)
    expected = losses(Training(alone, text, config))
    assert losses(
        Training(taught, text, config, soft_targets=certain.__getitem__)
    ) == pytest.approx(expected)
    for weight, other in zip(alone.parameters(), taught.parameters(), strict=True):
        torch.testing.assert_close(weight, other, atol=1e-4, rtol=1e-3)


def test_the_loss_told_is_that_of_the_text_whoever_teaches():
    calm = dataclasses.replace(SHORT, learning_rate=1e-12)
    uniform = torch.full((600, 8), 1 / 8)
    expected = losses(train(build(MODEL), some_text(), calm))
    told = losses(Training(build(MODEL), some_text(), calm, soft_targets=uniform.__getitem__))
    assert told == pytest.approx(expected)


def test_the_state_of_another_model_is_refused():
    wider = dataclasses.replace(MODEL, hidden_size=25)
    saved = Training(build(wider), some_text(), SHORT).state_dict()
    with pytest.raises(CheckpointError, match="does not fit this model"):
        Training(build(MODEL), some_text(), SHORT).load_state_dict(saved)


def test_the_held_out_part_is_not_learned_until_it_may_be():
    config = dataclasses.replace(SHORT, steps=40, held_out=0.5, held_out_until=0.5)
    text = torch.cat([torch.zeros(300, dtype=torch.int64), torch.ones(300, dtype=torch.int64)])
    training = Training(build(MODEL), text, config, held_out_every=5)
    windows, looks = recorded(training), []
    for step in training:
        looks.append((step.step, step.held_out_loss))
    assert all(window.max() == 0 for window in windows[:20])
    assert any(window.max() == 1 for window in windows[20:])
    assert [step for step, loss in looks if loss is not None] == [5, 10, 15]
    assert looks[14][1] > 2.0


def test_the_learning_rate_rises_to_its_peak_and_falls_to_nothing():
    rates = [learning_rate_at(i, steps=1000, peak=0.5, warmup_steps=100) for i in range(1000)]
    assert rates[0] == pytest.approx(0.005)
    assert max(rates) == pytest.approx(0.5, rel=0.03)
    assert 90 <= rates.index(max(rates)) <= 105
    assert rates[-1] < 1e-5
    assert rates[500] == pytest.approx(0.25)


def test_long_gradients_are_shortened():
    calm = dataclasses.replace(SHORT, steps=1, clip=1e-12, learning_rate=1e-3, warmup_steps=0)
    before = build(MODEL)
    before.initialise(generator(calm.seed))
    training = Training(build(MODEL), some_text(), calm)
    step = training.take_step()
    assert step.gradient_norm > 1e-3
    # AdamW divides by the root mean square plus 1e-8; so tiny a gradient hardly moves anything.
    for old, new in zip(before.parameters(), training.model.parameters(), strict=True):
        torch.testing.assert_close(new, old, atol=1e-6, rtol=0.0)


def test_weight_decay_spares_biases_and_the_embedding():
    training = Training(build(MODEL), some_text(), dataclasses.replace(SHORT, weight_decay=0.3))
    decay_of = {
        id(parameter): group["weight_decay"]
        for group in training.loop.optimizer.param_groups
        for parameter in group["params"]
    }
    decayed = {n for n, p in training.model.named_parameters() if decay_of[id(p)] > 0.0}
    assert decayed == {"lstm.weight_ih_l0", "lstm.weight_hh_l0", "output.weight"}


def test_mean_loss_of_a_model_that_knows_nothing_is_the_logarithm_of_the_vocabulary():
    model = build(MODEL)
    for parameter in model.parameters():
        torch.nn.init.zeros_(parameter)
    assert mean_loss(model, some_text()) == pytest.approx(2.0794415, abs=1e-5)


def test_bfloat16_follows_float32_closely():
    exact = losses(train(build(MODEL), cycle(), SHORT))
    rounded = losses(train(build(MODEL), cycle(), dataclasses.replace(SHORT, dtype="bfloat16")))
    assert exact != rounded
    assert rounded == pytest.approx(exact, abs=0.05)


def test_a_text_too_short_is_refused_with_both_lengths():
    with pytest.raises(TextError, match=r"at least 36 tokens.*the text has 30"):
        Training(build(MODEL), some_text(30), SHORT)


@pytest.mark.parametrize(
    "change",
    [
        {"steps": 0},
        {"learning_rate": 0.0},
        {"dtype": "float8"},
        {"held_out": 0.6},
        {"clip": -1.0},
        {"optimizer": "sgd"},
    ],
)
def test_impossible_settings_are_refused(change):
    with pytest.raises(SettingError, match=next(iter(change))):
        dataclasses.replace(SHORT, **change)


TRANSFORMER = TransformerLanguageModelConfig(8, 8, 2, 2, 12, dropout=0.2, cold_starts=0.3)
MUON = dataclasses.replace(SHORT, optimizer="muon", weight_decay=0.3)


def test_muon_moves_the_matrices_between_layers_and_adamw_the_rest():
    training = Training(build(TRANSFORMER), some_text(), MUON)
    decayed = {
        id(parameter)
        for group in training.loop.optimizer.param_groups
        if group["weight_decay"]
        for parameter in group["params"]
    }
    names = {name for name, p in training.model.named_parameters() if id(p) in decayed}
    kinds = ("attention.projections", "attention.output", "widened", "narrowed")
    assert names == {f"blocks.{i}.{kind}.weight" for i in range(2) for kind in kinds}


def test_a_step_of_muon_moves_a_matrix_alike_in_all_directions():
    training = Training(
        build(TRANSFORMER), some_text(), dataclasses.replace(MUON, weight_decay=0.0)
    )
    matrix = training.model.blocks[0].attention.output.weight
    before = matrix.detach().clone()
    step = training.take_step()
    lengths = torch.linalg.svdvals(matrix.detach() - before)
    assert lengths.max() < 3 * lengths.min()
    # 0.2 sqrt(D) times the learning rate, so that an entry moves 0.2 times it: Liu et al. 2025
    assert lengths.mean().item() == pytest.approx(0.2 * 8**0.5 * step.learning_rate, rel=0.25)


@pytest.mark.parametrize("tied_output", [False, True])
def test_a_resumed_transformer_with_muon_ends_bit_for_bit_where_an_undisturbed_one_does(
    tied_output, tmp_path
):
    config = dataclasses.replace(TRANSFORMER, tied_output=tied_output)
    straight = Training(build(config), some_text(), MUON)
    expected = losses(straight)
    interrupted = Training(build(config), some_text(), MUON)
    head = [interrupted.take_step().loss for _ in range(3)]
    on_disk = ResumeFile(tmp_path / "state.safetensors")
    on_disk.save(interrupted.state_dict(), 0.0)
    on_disk.wait()
    resumed = Training(build(config), some_text(), MUON)
    resumed.load_state_dict(on_disk.load())
    assert head + losses(resumed) == expected
    with pytest.raises(CheckpointError):
        Training(build(TRANSFORMER), some_text(), SHORT).load_state_dict(straight.state_dict())
