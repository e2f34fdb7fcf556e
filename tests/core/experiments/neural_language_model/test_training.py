"""Training Bengio's model: its examples, its learning rates, and that it learns what there is to learn."""

import math

import pytest
import torch

from lm_core.errors import SettingError
from lm_core.experiments.neural_language_model import training
from lm_core.models.mlp import MLPLanguageModelConfig

SMALL = MLPLanguageModelConfig(27, 2, embedding_size=3, hidden_size=8)


def test_every_letter_and_every_end_is_an_example_with_no_other_name_in_its_context():
    contexts, targets = training.examples_of_names(["ab", "c"], 2)
    assert contexts.tolist() == [[0, 0], [0, 1], [1, 2], [0, 0], [0, 3]]
    assert targets.tolist() == [1, 2, 0, 3, 0]


def test_the_loss_on_names_is_the_mean_over_their_examples():
    model, _ = training.start_network(training.MLPTrainingConfig(SMALL, steps=1))
    names = ["emma", "ava", "isabella"]
    contexts, targets = training.examples_of_names(names, 2)
    expected = torch.nn.functional.cross_entropy(model.trace(contexts).logits, targets).item()
    assert training.loss_on_names(model, names) == pytest.approx(expected, abs=1e-6)
    assert expected == pytest.approx(math.log(27), abs=0.05)


def test_with_all_examples_at_every_step_it_learns_the_shares_of_what_follows():
    # After (0, 1) comes 1 three times of four, else 2; after (1, 2) always 3.
    contexts = torch.tensor([[0, 1]] * 4 + [[1, 2]] * 4)
    examples = training.Examples(contexts, torch.tensor([1, 1, 1, 2, 3, 3, 3, 3]))
    config = training.MLPTrainingConfig(SMALL, steps=150, learning_rate=0.05)
    model, rng = training.start_network(config)
    *_, last = training.train_network(model, examples, config, rng)
    entropy = -(0.75 * math.log(0.75) + 0.25 * math.log(0.25)) / 2
    assert last.loss == pytest.approx(entropy, abs=0.01)
    probabilities = model.trace(contexts).logits.detach().softmax(1)
    assert float(probabilities[0, 1]) == pytest.approx(0.75, abs=0.02)


@pytest.mark.parametrize("optimizer", [training.ADAMW, training.SGD_IN_TWO])
def test_the_same_seed_gives_the_same_training_and_batches_are_drawn(optimizer):
    examples = training.examples_of_names(["emma", "ava", "isabella", "mia"], 2)

    def losses(seed, rate=0.01):
        config = training.MLPTrainingConfig(
            SMALL, 5, batch=4, optimizer=optimizer, learning_rate=rate, seed=seed
        )
        model, rng = training.start_network(config)
        return [step.loss for step in training.train_network(model, examples, config, rng)]

    assert losses(3) == losses(3)
    assert losses(3) != losses(4)
    assert len(set(losses(3, rate=1e-12))) > 1


def test_the_learning_rates_fall_as_they_say():
    cosine = training.MLPTrainingConfig(SMALL, steps=100, learning_rate=0.01)
    assert cosine.rate(0) == pytest.approx(0.01)
    assert cosine.rate(50) == pytest.approx(0.005)
    assert cosine.rate(99) < 1e-5
    in_two = training.MLPTrainingConfig(
        SMALL, steps=100, optimizer=training.SGD_IN_TWO, learning_rate=0.1
    )
    assert [in_two.rate(step) for step in (0, 49, 50, 99)] == pytest.approx([0.1, 0.1, 0.01, 0.01])


def trained(**settings):
    """Return a network after three steps on all of a few names."""
    examples = training.examples_of_names(["emma", "ava", "isabella"], 2)
    config = training.MLPTrainingConfig(SMALL, 3, learning_rate=0.1, **settings)
    model, rng = training.start_network(config)
    for _ in training.train_network(model, examples, config, rng):
        pass
    return model.output.bias.detach(), examples, config


@pytest.mark.parametrize(("optimizer", "momentum"), [(training.GD, 0.0), (training.MOMENTUM, 0.9)])
def test_gradient_descent_is_torch_s_along_half_a_cosine(optimizer, momentum):
    found, examples, config = trained(optimizer=optimizer)
    model, _ = training.start_network(config)
    theirs = torch.optim.SGD(model.parameters(), lr=0.1, momentum=momentum)
    for step in range(3):
        theirs.param_groups[0]["lr"] = config.rate(step)
        theirs.zero_grad()
        logits = model.trace(examples.contexts).logits
        torch.nn.functional.cross_entropy(logits, examples.targets).backward()
        theirs.step()
    assert found.tolist() == pytest.approx(model.output.bias.tolist(), abs=1e-6)


def test_dropout_disturbs_the_training_and_switches_units_off_in_the_trace():
    plain, dropped = (trained(dropout=rate)[0] for rate in (0.0, 0.5))
    assert not torch.allclose(plain, dropped, atol=1e-4)
    model, _ = training.start_network(training.MLPTrainingConfig(SMALL, steps=1))
    off = model.trace(torch.tensor([[1, 2]]), torch.zeros(1, 8))
    assert off.logits[0].tolist() == model.output.bias.tolist()


@pytest.mark.parametrize(
    "wrong",
    [{"steps": 0}, {"batch": -1}, {"optimizer": "adam"}, {"learning_rate": 0.0}, {"dropout": 1.0}],
)
def test_a_setting_out_of_range_is_an_error(wrong):
    with pytest.raises(SettingError):
        training.MLPTrainingConfig(**{"network": SMALL, "steps": 10, **wrong})
