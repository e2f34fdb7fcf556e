"""What the answers for teachers say of counting, held to the shipped training and to short ones."""

from dataclasses import replace
from itertools import pairwise, product

import pytest
import torch

from lm_core.analysis.spectra import spectra
from lm_core.experiments.counting.inference import accuracy_by_length, continue_counting
from lm_core.experiments.counting.results import CONFIG, CountingResults
from lm_core.experiments.counting.training import train_counting
from tests.pages.answering import assert_says, suggestion

PROMPT, LONGER = (7, 8, 9, 10), 12


def next_number(model, prompt):
    return continue_counting(model, prompt, 1)[0].number


def test_first_mistake_and_how_it_counts_again():
    model = CountingResults.load().epochs[-1].model
    numbers = [10, *(step.number for step in continue_counting(model, PROMPT, 20))]
    wrong = next(i for i in range(1, 21) if numbers[i] != numbers[i - 1] + 1)
    said = [str(numbers[i]) for i in (1, 2, 3, wrong - 1, wrong)]
    assert_says("counting", "Where is the first mistake", *said)
    later = ",".join(map(str, numbers[wrong:]))
    assert "61,62,63," in later
    assert "17,18,19,20,21," in later


def test_first_right_epoch_and_the_one_from_which_it_stays():
    epochs = CountingResults.load().epochs
    right = [next_number(epoch.model, PROMPT) == 11 for epoch in epochs]
    first, stays = right.index(True), len(right) - right[::-1].index(False)
    said = [text for i in (first, stays) for text in (f"epoch {i}", f"{epochs[i].loss:.2f}")]
    assert_says("counting", "Go back to the first epoch", *said)


@pytest.fixture(scope="module")
def ends():
    """The last network of each initialisation and seed, and its spectral radius before training."""
    found = {}
    for kind, seed in product(("normal", "uniform"), range(3)):
        network = replace(CONFIG.network, initialisation=kind)
        epochs = list(train_counting(replace(CONFIG, network=network, seed=seed)))
        found[kind, seed] = epochs[-1].model, spectra(epochs[0].model.cell)[0].radius
    return found


def test_the_initialisation_decides_about_longer_prompts(ends):
    (normal, large), (uniform, small) = ends["normal", 0], ends["uniform", 0]
    shares = [accuracy_by_length(model, LONGER)[-1].accuracy for model in (normal, uniform)]
    assert shares[1] == 1
    said = (f"{100 * shares[0]:.0f} %", f"{large:.0f}", f"{small:.1f}")
    assert_says("counting", "Train with the other", *said)


@pytest.mark.parametrize("prompt", [(125, 126, 127), (7, 9, 11)])
def test_each_seed_answers_otherwise_where_nothing_was_learned(ends, prompt):
    answers = {next_number(ends["normal", seed][0], prompt) for seed in range(3)}
    assert len(answers) == 3
    assert_says("counting", "Enter 125 126 127", "127")


def test_the_uniform_initialisation_counts_on_and_mostly_goes_by_the_last_number(ends):
    answers = [next_number(ends["uniform", seed][0], (7, 9, 11)) for seed in range(3)]
    assert answers.count(12) == 2
    for seed in range(3):
        written = [step.number for step in continue_counting(ends["uniform", seed][0], PROMPT, 20)]
        assert written == list(range(11, 31))
    assert_says("counting", "Where is the first mistake", "no mistake in 20 numbers")
    assert_says("counting", "Enter 125 126 127", "two of three seeds answer 12")


def test_a_list_of_successors_would_do_as_well():
    numbers = range(CONFIG.network.numbers)
    followers = dict(pairwise(numbers))
    said = str(followers[11]), "13", f"{len(followers)} pairs"
    assert_says("counting", "Which rule do 7 8 9 10", *said)


def test_the_state_makes_reading_again_unnecessary():
    suggestion("counting", "To continue a text")
    model = CountingResults.load().epochs[-1].model
    numbers = torch.tensor([PROMPT])
    whole, _ = model(numbers, model.initial_state(1))
    _, state = model(numbers[:, :-1], model.initial_state(1))
    last, _ = model(numbers[:, -1:], state)
    assert torch.allclose(whole[:, -1], last[:, -1], atol=1e-6)
