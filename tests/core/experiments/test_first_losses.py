"""Each recipe begins as it did when its first losses were recorded.

`first_losses.json` holds the losses of the first fifty steps of each recipe that starts from nothing, or
from a shipped model, on a processor with one thread. A recipe that continues a training which is
not shipped is not among them, nor one for a graphics card. To record those of some recipes anew:

    python -m tests.core.experiments.test_first_losses NAME ...
"""

import json
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest
import torch

from lm_core.errors import CorpusUnavailableError
from lm_core.experiments.masked_language_model import settings as masked_language_model
from lm_core.experiments.masked_language_model.training import MaskedTraining, book_segments
from lm_core.experiments.model_ladder import training as model_ladder
from lm_core.experiments.sequence_models import training as sequence_models
from lm_core.experiments.translation import settings as translation
from lm_core.experiments.translation.experiment import translation_run
from lm_core.experiments.war_and_peace.experiment import run_config
from lm_core.experiments.word2vec import recipes as word2vec
from lm_core.jobs.records import RunConfig
from lm_core.jobs.run import train_here
from lm_core.jobs.run_folder import RunFolder
from lm_core.models.masked_language_model import MaskedLanguageModel
from lm_core.models.registry import build
from lm_core.text.library import FILES
from lm_core.text.sentence_pairs import TRAIN, load_pairs
from lm_core.text.training_text import load_book
from lm_core.text.word_corpora import sha256_of_parts, texts_of, word_corpus_named
from lm_core.text.word_vocabulary import read_words
from lm_core.training import recipes as book_models
from lm_core.training.checkpoints import load_shipped
from lm_core.training.language_modelling import Training

_FILE = Path(__file__).with_name("first_losses.json")
_RECORDED: dict[str, list[float]] = json.loads(_FILE.read_text())
_STEPS = 50
_TOLERANCE = (
    0.02  # of the loss: another processor adds in another order, and 50 steps carry that on
)


def _run(config: RunConfig) -> Iterator[float]:
    with tempfile.TemporaryDirectory() as folder:
        steps = train_here(RunFolder(Path(folder) / "run"), config, device=torch.device("cpu"))
        with closing(steps):
            yield from (step.loss for step in steps)


def _book_model(name: str) -> Iterator[float]:
    recipe = book_models.RECIPES[name]
    return _run(
        run_config(
            recipe,
            corpus=recipe.corpus,
            corpus_sha256=sha256_of_parts(FILES[recipe.corpus]),
            vocabulary=recipe.vocabulary,
        )
    )


def _rung(name: str) -> Iterator[float]:
    recipe, tokens = model_ladder.RECIPES[name], torch.from_numpy(load_book().train)
    return (step.loss for step in Training(build(recipe.network), tokens, recipe.training))


def _masked(name: str) -> Iterator[float]:
    recipe = masked_language_model.RECIPES[name]
    causal = load_shipped(recipe.starts_from).model if recipe.starts_from else None
    model, (learned, _) = MaskedLanguageModel(recipe.model), book_segments(recipe)
    return (s.loss for s in MaskedTraining(model, recipe.training, learned, causal=causal))


def _translation(name: str) -> Iterator[float]:
    load_pairs(TRAIN)
    return _run(translation_run(translation.RECIPES[name]))


def _sequences(name: str) -> Iterator[float]:
    return (s.loss for s in sequence_models.SequenceTraining(sequence_models.RECIPES[name]))


def _word_vectors(name: str) -> Iterator[float]:
    recipe = word2vec.RECIPES[name]
    texts = texts_of(word_corpus_named(recipe.corpus))
    vocabulary, words = read_words(texts, recipe.minimum_count)
    return (s.loss for s in word2vec._training(recipe, torch.from_numpy(words), vocabulary))


_TRANSLATIONS = (
    "translation-transformer-early",
    "translation-attention-early",
    "translation-one-vector",
)
"""What the shipped translators begin from."""
_LOSSES: dict[str, Callable[[str], Iterator[float]]] = {
    **{
        n: _book_model
        for n, r in book_models.RECIPES.items()
        if not r.starts_from and r.training.dtype != "auto"
    },
    **dict.fromkeys(model_ladder.RECIPES, _rung),
    **dict.fromkeys(masked_language_model.RECIPES, _masked),
    **dict.fromkeys(_TRANSLATIONS, _translation),
    **dict.fromkeys(sequence_models.RECIPES, _sequences),
    **dict.fromkeys((recipe.name for recipe in word2vec.DEFAULT_RECIPES), _word_vectors),
}


def _first_losses(name: str) -> list[float]:
    torch.set_num_threads(1)
    return list(islice(_LOSSES[name](name), _STEPS))


def test_every_recipe_has_its_first_losses_recorded():
    assert set(_RECORDED) == set(_LOSSES)
    assert {len(losses) for losses in _RECORDED.values()} == {_STEPS}


@pytest.mark.slow
@pytest.mark.parametrize("name", _RECORDED)
def test_a_recipe_begins_as_it_did(name):
    try:
        losses = _first_losses(name)
    except CorpusUnavailableError as error:
        pytest.skip(str(error))
    assert losses == pytest.approx(_RECORDED[name], abs=_TOLERANCE)


def _record(names: list[str]) -> None:
    recorded = dict(_RECORDED)
    for name in names:
        recorded[name] = [round(loss, 5) for loss in _first_losses(name)]
        kept = [f"  {json.dumps(n)}: {json.dumps(recorded[n])}" for n in _LOSSES if n in recorded]
        _FILE.write_text("{\n" + ",\n".join(kept) + "\n}\n")


if __name__ == "__main__":
    _record(sys.argv[1:] or list(_LOSSES))
