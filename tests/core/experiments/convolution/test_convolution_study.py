"""Digits, names, examples: what is read, what is learned, and what is shipped."""

import gzip
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from lm_core.errors import ResultError, TextError
from lm_core.experiments.convolution import command, digits, examples, study, training
from lm_core.experiments.convolution.digits import Digits, load_digits, on_canvas, split_digits
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.models.character_cnn import CharacterCNN, CharacterCNNConfig
from lm_core.models.convolution import trace_convolution
from lm_core.models.image_networks import ImageMLPConfig, build_image_network, initialise
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text.names import SYMBOLS, NameSplit

NAMES = ("anna", "emma", "ava", "mia")


# Digits ---------------------------------------------------------------------------------------


def test_the_digits_are_scikit_learns():
    folder = Path(find_spec("sklearn").origin).parent  # the import itself takes seconds
    with gzip.open(folder / "datasets/data/digits.csv.gz", "rt") as file:
        table = np.array([line.split(",") for line in file], float)
    found = load_digits()
    assert np.array_equal(16 * found.images.flatten(1).numpy(), table[:, :-1])
    assert np.array_equal(found.labels.numpy(), table[:, -1])


def test_an_altered_file_of_digits_is_refused(monkeypatch):
    monkeypatch.setattr(digits, "_SHA256", "0")
    with pytest.raises(ResultError, match="altered or cut off"):
        load_digits()


def test_no_digit_is_both_learned_and_tested():
    train, test = split_digits(Digits(torch.arange(1797.0).reshape(-1, 1, 1), torch.arange(1797)))
    assert len(test.labels) == 500
    assert sorted([*train.labels.tolist(), *test.labels.tolist()]) == [*range(1797)]
    assert torch.equal(train.images.flatten().long(), train.labels)


def test_a_moved_digit_stays_whole():
    image = load_digits().images[:1]
    for rows, columns in ((0, 0), (2, -2), (-1, 2)):
        canvas = on_canvas(image, rows, columns)
        assert canvas.shape == (1, 12, 12)
        part = canvas[:, 2 + rows : 10 + rows, 2 + columns : 10 + columns]
        assert torch.equal(part, image)
        assert canvas.sum() == image.sum()


def test_accuracies_are_by_how_digits_are_moved():
    """A network that reads one pixel: only where the digit's own pixel comes to lie is it seen."""

    def network(canvas):
        return torch.nn.functional.one_hot((canvas[:, 3, 5] > 0).long(), 2).float()

    images = torch.zeros(2, 8, 8)
    images[1, 2, 2] = 1.0
    found = training.accuracies_by_shift(network, Digits(images, torch.tensor([0, 1])))
    assert np.argwhere(np.array(found) == 1.0).tolist() == [[1, 3]]  # one up, one to the right
    assert np.sum(found) == 24 * 0.5 + 1.0


@pytest.mark.parametrize("places", training.PLACES)
def test_moved_digits_are_learned_from_only_if_asked_for(places):
    network = build_image_network(ImageMLPConfig(12, 4))
    initialise(network, generator(0))
    before = network.hidden.weight.detach().clone()
    few = Digits(torch.ones(1, 8, 8), torch.tensor([3]))
    plan = training.BatchTraining(12, 2, 0.01, weight_decay=0.0)
    steps = [*training.train_on_digits(network, few, places, generator(1), plan)]
    changed = (network.hidden.weight.detach() != before).any(0).reshape(12, 12)
    assert len(steps) == 12
    assert bool(changed[2:10, 2:10].all())
    inside = 64
    assert (int(changed.sum()) > inside) is (places == training.SHIFTED)


def test_snapshots_are_of_the_same_training():
    few = Digits(torch.ones(4, 8, 8), torch.tensor([3, 1, 4, 1]))
    first, second = study.early_snapshots(study.MLP, training.SHIFTED, 7, few, (0, 3))
    rng = generator(7)
    expected = build_image_network(study.DIGIT_NETWORKS[study.MLP])
    initialise(expected, rng)
    assert torch.equal(first.hidden.weight, expected.hidden.weight)
    for _ in zip(
        range(3), training.train_on_digits(expected, few, training.SHIFTED, rng), strict=False
    ):
        pass
    assert torch.equal(second.hidden.weight, expected.hidden.weight)
    assert not torch.equal(first.hidden.weight, second.hidden.weight)


# Names ----------------------------------------------------------------------------------------


def test_a_batch_asks_for_every_letter_and_one_end():
    batch = training.name_batch(["ab", "a"])
    assert batch.tokens.tolist() == [[0, 1, 2], [0, 1, 0]]
    assert batch.targets.tolist() == [[1, 2, 0], [1, 0, training.IGNORED]]


@pytest.mark.parametrize("name", study.NAME_NETWORKS)
def test_four_names_are_learned(name):
    model = build(study.NAME_NETWORKS[name])
    model.initialise(generator(0))
    before = training.loss_on_names(model, NAMES)
    for _ in training.train_on_names(
        model, NAMES, generator(1), training.BatchTraining(40, 8, 0.01)
    ):
        pass
    assert training.loss_on_names(model, NAMES) < 0.4 * before
    assert training.loss_on_names(model, NAMES) == pytest.approx(
        training.loss_on_names(model, NAMES, batch=3)
    )


def test_favourites_are_the_strongest_responses_to_frequent_letters():
    cnn = CharacterCNN(CharacterCNNConfig(len(SYMBOLS), 4, 5, 3, (1,)))
    cnn.initialise(generator(0))
    counted = dict.fromkeys(["..a", ".an", "ann", "nna", "na."], 20)
    responses = study.first_responses(cnn, list(counted))[:, :, -1]
    found = study.favourites(cnn, ["anna"] * 20 + ["q"] * 19)
    assert len(found) == 5
    for best, of_filter in zip(found, responses.T, strict=True):
        assert {f.letters: f.times for f in best} == counted
        expected = sorted(of_filter.tolist(), reverse=True)
        assert [f.response for f in best] == pytest.approx(expected, abs=1e-3)
    assert study.favourites(cnn, ["anna"])[0] == ()


# Results --------------------------------------------------------------------------------------


def test_what_is_shipped_says_what_the_page_says():
    results = ConvolutionResults.load()
    for name in study.DIGIT_NETWORKS:
        for places in training.PLACES:
            assert len(results.of_seeds(name, places)) == study.DIGIT_SEEDS
    at = {name: results.accuracies(name, training.CENTRED)[2, 2:] for name in study.DIGIT_NETWORKS}
    assert at[study.GLOBAL_CNN][2] > at[study.GLOBAL_CNN][1] + 0.1
    assert at[study.CNN][1] > at[study.MLP][1] + 0.1
    assert [len(results.test_losses(name)) for name in study.NAME_NETWORKS] == [
        study.NAME_SEEDS
    ] * 2
    assert max(results.test_losses(study.CNN)) < min(results.test_losses(study.MLP))
    sizes = [score.parameters for score in (*results.digits, *results.names)]
    assert set(sizes) == {2698, 2663, 2645, 11067, 11123}


def test_an_accuracy_is_found_by_how_far_down_and_to_the_right_digits_are_moved():
    trained = ConvolutionResults.load().of_seeds(study.GLOBAL_CNN, training.CENTRED)[0]
    assert trained.at(-1, 2) == trained.accuracies[1][4] != trained.at(-1, -2)


def test_a_shipped_network_has_the_score_that_it_is_said_to_have():
    results = ConvolutionResults.load()
    _, test = split_digits(load_digits())
    found = training.accuracies_by_shift(
        results.digit_networks[study.GLOBAL_CNN, training.CENTRED], test
    )
    assert np.allclose(
        found, results.of_seeds(study.GLOBAL_CNN, training.CENTRED)[0].accuracies, atol=0.005
    )


def test_the_command_saves_what_is_read_back(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(command, "load_names", lambda: NAMES)
    monkeypatch.setattr(command, "split_names", lambda names: NameSplit(names, names, names))
    train, _ = split_digits(load_digits())
    few = Digits(train.images[:9], train.labels[:9])
    monkeypatch.setattr(command, "split_digits", lambda _: (few, few))
    monkeypatch.setattr(study, "train_on_digits", lambda *_: iter(()))
    monkeypatch.setattr(study, "train_on_names", lambda *_: iter(()))
    path = tmp_path / "convolution.json"
    command.run(
        type("Asked", (), {"digit_seeds": 1, "name_seeds": 1, "out": path})()  # type: ignore[arg-type]
    )
    found = ConvolutionResults.load(path)
    assert len(found.digits) == len(study.DIGIT_NETWORKS) * len(training.PLACES)
    score, _ = study.study_names(study.MLP, 0, NameSplit(NAMES, NAMES, NAMES))
    assert found.test_losses(study.MLP) == [score.test]
    assert "global pooling" in capsys.readouterr().out


# Examples -------------------------------------------------------------------------------------


def test_the_bar_of_the_t_is_not_seen_between_its_ends():
    found = trace_convolution(
        examples.PICTURES["T"][None], examples.FILTERS[examples.VERTICAL][None]
    ).output
    assert found[0].tolist() == [2, 0, 0, 0, 0, 0, 0, -2]
    assert found[4].tolist() == [0, 0, 3, 3, -3, -3, 0, 0]


def test_pictures_are_read_as_they_are_written():
    for picture in examples.PICTURES.values():
        assert torch.equal(examples.read_picture(examples.write_picture(picture.numpy())), picture)
    grey = np.arange(4).reshape(2, 2)
    assert (
        examples.read_picture(examples.write_picture(grey, "abcd"), 2, "abcd").tolist()
        == grey.tolist()
    )


@pytest.mark.parametrize(
    ("read", "text", "said"),
    [
        (examples.read_picture, "01", "10 rows of 10 cells"),
        (examples.read_picture, "\n".join(["0123456789"] * 10), "cells must be 0 to 1"),
        (examples.read_filter, "1 2 3", "must be 9 numbers"),
        (examples.read_filter, "", "1 to 9 numbers"),
        (lambda text: examples.read_numbers(text, 3, "x"), "1 2 3 4", "1 to 3 numbers, got 4"),
        (lambda text: examples.read_numbers(text, 3, "x"), "1 b", "must be numbers, got 'b'"),
        (lambda text: examples.read_numbers(text, 3, "x"), "1e9", "must lie between"),
        (lambda text: examples.read_numbers(text, 3, "x"), "nan", "must lie between"),
    ],
)
def test_what_cannot_be_read_is_refused_in_words(read, text, said):
    with pytest.raises(TextError, match=said):
        read(text)


def test_numbers_are_read_between_blanks_and_commas():
    assert examples.read_numbers("1, −2 3.5", 5, "x") == (1.0, -2.0, 3.5)
