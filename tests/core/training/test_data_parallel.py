"""Two processes on this machine learn what one does, save and resume, and do not outlive each other."""

import contextlib
import copy
import dataclasses

import pytest
import torch

from lm_core.errors import CheckpointError, DeviceError, DivergenceError, SettingError
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.jobs.records import RunState
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.models.transformer_config import TransformerLanguageModelConfig
from lm_core.rng import generator
from lm_core.training.checkpoints import load_checkpoint
from lm_core.training.data_parallel import SharedTraining
from lm_core.training.language_modelling import Training, TrainingConfig
from tests.core.small_runs import RECIPE, SHA256, TEXT

MODEL = LSTMLanguageModelConfig(8, 6, 16, 2)
NORMALISED = TransformerLanguageModelConfig(8, 8, 2, 1, 16, query_key_norm=True)
DROPOUT = dataclasses.replace(MODEL, hidden_dropout=0.3, recurrent_dropout=0.1)
SHORT = TrainingConfig(
    steps=16, batch=4, window=8, learning_rate=1e-2, warmup_steps=3, clip=0.05, held_out=0.2
)
TOKENS = torch.randint(0, 8, (200,), generator=generator(0))  # four windows a pass


def shared(model=MODEL, config=SHORT, **settings):
    training = SharedTraining(
        build(model), TOKENS, config, n_devices=2, held_out_every=4, **settings
    )
    return contextlib.closing(training)


@pytest.mark.parametrize("model", [MODEL, NORMALISED], ids=["lstm", "transformer"])
def test_two_processes_take_the_steps_of_one(model):
    alone = Training(build(model), TOKENS, SHORT, held_out_every=4)
    expected = list(alone)
    with shared(model) as together:
        steps = [together.take_step() for _ in range(6)]
        together.state_dict()  # changes nothing
        steps += list(together)
        state = together.state_dict()
    assert [step.step for step in steps] == [step.step for step in expected]
    for field in ("loss", "learning_rate", "gradient_norm"):
        ours = [getattr(step, field) for step in steps]
        assert ours == pytest.approx([getattr(step, field) for step in expected], rel=1e-4)
    looks = [step.held_out_loss for step in steps]
    assert [look is None for look in looks] == [step.held_out_loss is None for step in expected]
    assert looks[3] == pytest.approx(expected[3].held_out_loss, rel=1e-4)
    assert max(step.gradient_norm for step in steps) > SHORT.clip  # it was shortened
    for name, weight in alone.model.state_dict().items():
        torch.testing.assert_close(together.model.state_dict()[name], weight, atol=1e-4, rtol=1e-4)
    torch.testing.assert_close(state["state"], alone.state_dict()["state"], atol=1e-3, rtol=1e-3)


def test_a_resumed_run_ends_where_an_undisturbed_one_does_dropout_included():
    with shared(DROPOUT) as training:
        for _ in range(6):
            training.take_step()
        saved = copy.deepcopy(training.state_dict())
        expected = [step.loss for step in training]
        weights = copy.deepcopy(training.model.state_dict())
        training.load_state_dict(saved)
        assert [step.loss for step in training] == expected
    for name, weight in weights.items():
        assert torch.equal(weight, training.model.state_dict()[name]), name
    one, other = saved["dropout_rng"]
    assert not torch.equal(one, other), "both processes silence the same units"
    with pytest.raises(CheckpointError, match="does not fit this model"):
        Training(build(DROPOUT), TOKENS, SHORT).load_state_dict(saved)


def test_weights_that_are_there_already_are_shared_out_and_a_process_that_dies_is_reported():
    model = build(MODEL)
    model.initialise(generator(99))
    alone = Training(build(MODEL), TOKENS, SHORT, fresh=False)
    alone.model.load_state_dict(model.state_dict())
    with contextlib.closing(
        SharedTraining(model, TOKENS, SHORT, n_devices=2, fresh=False)
    ) as together:
        losses = [together.take_step().loss for _ in range(4)]
        with pytest.raises(CheckpointError, match="not made on 2 devices"):
            together.load_state_dict(alone.state_dict())
        losses.append(together.take_step().loss)  # a run that is refused ends no process
        processes = together._others.processes
        processes[0].kill()
        with pytest.raises(DeviceError, match=r"(?s)lost one of their number.*Start it again"):
            list(together)
        assert not any(process.is_alive() for process in processes)
    assert not torch.distributed.is_initialized()
    assert losses == pytest.approx([alone.take_step().loss for _ in range(5)], rel=1e-5)


def test_a_loss_that_is_no_number_stops_them_all():
    model = build(MODEL)
    torch.nn.init.constant_(model.output.bias, torch.nan)
    with (
        contextlib.closing(
            SharedTraining(model, TOKENS, SHORT, n_devices=2, fresh=False)
        ) as training,
        pytest.raises(DivergenceError, match="at step 1 the loss is nan"),
    ):
        training.take_step()
    assert not any(process.is_alive() for process in training._others.processes)


@pytest.mark.parametrize(
    ("n_devices", "device", "reason"),
    [
        (3, "cpu", "devices must be a divisor of the batch, 4, and at least 2, got 3"),
        (1, "cpu", "at least 2, got 1"),
        (2, "mps", "must be cpu or cuda, got 'mps'"),
    ],
)
def test_impossible_shares_are_refused(n_devices, device, reason):
    with pytest.raises(SettingError, match=reason):
        SharedTraining(build(MODEL), TOKENS, SHORT, n_devices=n_devices, device=device)


def test_more_graphics_cards_than_there_are_are_refused(monkeypatch):
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 1)
    with pytest.raises(SettingError, match=r"at most 1, the number of graphics cards here, got 2"):
        SharedTraining(build(MODEL), TOKENS, SHORT, n_devices=2, device="cuda")


def test_a_run_on_two_devices_is_paused_resumed_and_finished_in_its_folder(tmp_path):
    config = run_config(
        RECIPE, corpus="own-text", corpus_sha256=SHA256, vocabulary="source", devices=2
    )
    on_one = dataclasses.replace(config, devices=1)
    assert config.fingerprint() != on_one.fingerprint()  # dropout depends on the number of devices
    run = RunFolder(tmp_path / "run")
    steps = train_here(run, config, TEXT, torch.device("cpu"))
    for _ in range(5):
        next(steps)
    steps.close()
    assert run.status().state is RunState.PAUSED
    assert not torch.distributed.is_initialized()
    resumed = [step.step for step in train_here(run, config, TEXT, torch.device("cpu"))]
    assert resumed == list(range(6, RECIPE.training.steps + 1))
    assert run.status().state is RunState.FINISHED
    assert load_checkpoint(run.checkpoint).meta.device == "2 x cpu"


def test_a_run_on_no_device_is_refused():
    with pytest.raises(SettingError, match="devices must be at least 1, got 0"):
        run_config(RECIPE, corpus="none", corpus_sha256=SHA256, vocabulary="source", devices=0)
