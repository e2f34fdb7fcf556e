"""Models are kept for all visitors, as many as there is room for."""

from types import SimpleNamespace

import pytest

from lm_core.errors import CheckpointError
from lm_core.training.checkpoints import Checkpoint
from pages.shared.models.language_models import KeptModels, model_named, provenance_of


class Model(str):
    """A model that is its name, and that may be held weakly."""


class Shelf:
    """Loads models of one size, and remembers which were asked of it."""

    def __init__(self, most_models):
        self.loaded = []
        self.kept = KeptModels(most_models * 4 * 1_000)

    def ask(self, name, parameters=1_000):
        def load():
            self.loaded.append(name)
            return Checkpoint(Model(name), SimpleNamespace(parameter_count=parameters))

        return self.kept.get((name, ""), load).model


def test_a_model_is_loaded_once():
    shelf = Shelf(2)
    assert [shelf.ask(name) for name in "aba"] == ["a", "b", "a"]
    assert shelf.loaded == ["a", "b"]


def test_the_one_asked_for_longest_ago_makes_room():
    shelf = Shelf(2)
    for name in "abaca":
        shelf.ask(name)
    assert shelf.loaded == ["a", "b", "c"]
    shelf.ask("b")
    assert shelf.loaded == ["a", "b", "c", "b"]


def test_a_model_that_made_room_is_not_loaded_beside_the_one_that_a_text_still_needs():
    shelf = Shelf(1)
    needed = shelf.ask("a")
    shelf.ask("b")
    assert shelf.ask("a") is needed
    shelf.ask("b")
    del needed
    shelf.ask("a")
    assert shelf.loaded == ["a", "b", "b", "a"]


def test_a_model_that_is_larger_than_the_room_is_kept_alone():
    shelf = Shelf(2)
    shelf.ask("a")
    assert [shelf.ask("large", 9_000) for _ in range(2)] == ["large", "large"]
    shelf.ask("a")
    assert shelf.loaded == ["a", "large", "a"]


def test_a_model_that_cannot_be_loaded_is_asked_for_again():
    shelf = Shelf(2)

    def fails():
        raise CheckpointError("damaged")

    for _ in range(2):
        with pytest.raises(CheckpointError):
            shelf.kept.get(("a", ""), fails)
    assert shelf.ask("a") == "a"


def test_a_model_is_the_same_with_its_hash_and_without():
    sha256 = provenance_of("book-gru").weights_sha256
    assert model_named("book-gru") is model_named("book-gru", sha256)
