"""Word vectors by recipe: the library they are trained on, snapshots, evaluation, the command."""

import argparse
import hashlib
import io
import zipfile
from dataclasses import replace

import pytest
import torch

from lm_core.errors import CorpusUnavailableError, SettingError
from lm_core.experiments.word2vec import command, recipes
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.negative_sampling_training import (
    NegativeSamplingConfig,
    NegativeSamplingTraining,
)
from lm_core.experiments.word2vec.recipes import EmbeddingRecipe, of_other_seed, train
from lm_core.models.embeddings import WordVectors
from lm_core.text import corpora, word_corpora
from lm_core.text.catalogue import CORPORA, Corpus
from lm_core.text.word_corpora import WORD_CORPORA, WordCorpus, sha256_of_parts, texts_of
from lm_core.text.word_vocabulary import WordVocabulary, read_words
from lm_core.training.checkpoints import list_checkpoints, load_checkpoint

TEXT = "the cat sat on the mat and the dog sat on the rug while the cat and the dog ran . " * 30


@pytest.mark.parametrize("method", ["skip-gram", "cbow"])
def test_few_words_in_large_batches_are_learned_without_running_away(method):
    vocabulary, ids = read_words([TEXT], minimum_count=1)
    config = NegativeSamplingConfig(method, width=8, epochs=60, thresholds=(0.0,))
    training = NegativeSamplingTraining(torch.from_numpy(ids), vocabulary, config)
    losses = [step.loss for step in training]
    assert losses[-1] < losses[0]
    assert training.vectors.input.abs().max() < 10.0


# The library ----------------------------------------------------------------------------------


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A word corpus of one tale and a tagged archive, both on this machine."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("brown/ca01", "The/at jury/nn said/vbd 1/2/cd ./.")
        archive.writestr("brown/README", "not/a text/b")
    contents = {"tale": b"A <unk> tale.", "tagged": packed.getvalue()}
    parts = []
    for name, content in contents.items():
        digest = hashlib.sha256(content).hexdigest()
        path = tmp_path / name
        path.write_bytes(content)
        part = Corpus(name, name, "", name, "", "", len(content), digest)
        monkeypatch.setitem(CORPORA, name, part)
        parts.append(part)
    monkeypatch.setattr(word_corpora, "BROWN", parts[1])
    monkeypatch.setattr(corpora, "_CHECKOUT", tmp_path / "checkout")
    monkeypatch.setenv("LM_LAB_DATA", str(tmp_path))
    return WordCorpus("shelf", "Shelf", tuple(parts))


def test_a_word_corpus_is_read_part_by_part_without_tags_and_marks(shelf):
    assert list(texts_of(shelf)) == ["A   tale.", "The jury said 1/2 ."]
    assert shelf.missing == []
    both = "\n".join(part.sha256 for part in shelf.parts)
    assert sha256_of_parts(shelf.parts) == hashlib.sha256(both.encode()).hexdigest()
    assert sha256_of_parts(shelf.parts[:1]) == shelf.parts[0].sha256


def test_a_missing_part_is_named_with_its_remedy(shelf, tmp_path):
    (tmp_path / "tale").unlink()
    assert shelf.missing == ["tale"]
    with pytest.raises(CorpusUnavailableError, match="data fetch tale"):
        list(texts_of(shelf))
    with pytest.raises(SettingError, match="the corpus must be one of"):
        word_corpora.word_corpus_named("shelf")


def test_the_library_holds_33_books_brown_and_two_parts_of_wikitext():
    parts = [part.name for part in WORD_CORPORA["library"].parts]
    assert len(parts) == len(set(parts)) == 36
    assert parts[0] == "war-and-peace"
    assert parts[-3:] == ["brown", "wikitext-2/valid", "wikitext-2/test"]
    assert WORD_CORPORA["wikitext-2"].parts[0].name == "wikitext-2/train"


@pytest.mark.skipif(bool(WORD_CORPORA["library"].missing), reason="the library is not here")
def test_every_part_of_the_library_is_what_its_record_says():
    for part in WORD_CORPORA["library"].parts:
        assert not corpora.check(part.name).faults
        assert part.size_bytes == corpora.locate(part.name).stat().st_size


# Recipes --------------------------------------------------------------------------------------


@pytest.fixture
def tale(shelf, tmp_path, monkeypatch):
    """A corpus of one text of which something can be learned."""
    (tmp_path / "text").write_text(TEXT)
    digest = hashlib.sha256(TEXT.encode()).hexdigest()
    part = Corpus("text", "Text", "", "text", "", "", len(TEXT), digest)
    monkeypatch.setitem(CORPORA, "text", part)
    monkeypatch.setitem(WORD_CORPORA, "text", WordCorpus("text", "Text", (part,)))
    return "text"


@pytest.mark.parametrize(
    "training",
    [
        NegativeSamplingConfig(width=8, epochs=4, thresholds=(0.0,)),
        FullSoftmaxConfig(width=8, batch=64),
    ],
)
def test_a_recipe_saves_its_model_and_snapshots_of_it(tale, tmp_path, training):
    recipe = EmbeddingRecipe("toy", "Toy", tale, 2, training)
    seen = []
    folder = train(recipe, tmp_path / "out", lambda step, _: seen.append(step))
    model, meta = load_checkpoint(folder)
    assert model.vocabulary.words[0] == "the"
    assert (meta.corpus, meta.vocabulary, meta.seed) == ("text", "words", 1)
    assert meta.steps == seen[-1].step
    mean = sum(step.loss for step in seen[-100:]) / len(seen[-100:])
    assert meta.losses["training"] == pytest.approx(mean, abs=1e-4)
    n_words = sum(model.vocabulary.counts)
    assert meta.characters_seen == n_words * training.epochs
    snapshots = [m for m in list_checkpoints(tmp_path / "out") if m.snapshot_of == "toy"]
    assert sorted(snapshot.name for snapshot in snapshots) == sorted(
        f"toy-at-{share}" for share in ("0", "1", "3", "10", "30", "60")
    )
    steps = {snapshot.name: snapshot.steps for snapshot in snapshots}
    assert steps["toy-at-0"] == 0
    assert steps["toy-at-60"] == pytest.approx(0.6 * meta.steps, abs=1.01)


def test_vectors_are_evaluated_on_the_lists_that_are_here(tmp_path, monkeypatch, shelf):
    model = WordVectors.of(
        WordVocabulary(("cat", "dog", "sun"), (3, 2, 1)),
        torch.tensor([[1.0, 0.0], [1.0, 0.1], [0.0, 1.0]]),
        torch.zeros(3, 2),
    )
    content = b"cat\tdog\t9\ncat\tsun\t1\nsun\tdog\t2\ncat\tmoon\t5\n"
    (tmp_path / "pairs").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    listed = Corpus("pairs", "Pairs", "", "pairs", "", "", len(content), digest)
    absent = replace(listed, name="absent", path="absent")
    for each in (listed, absent):
        monkeypatch.setitem(CORPORA, each.name, each)
    monkeypatch.setattr(recipes, "WORD_PAIRS", (listed, absent))
    assert recipes.scores(model) == {"Pairs": 1.0, "Pairs, unknown": 0.25}


def test_a_recipe_begins_from_another_seed():
    recipe = recipes.RECIPES["book-cbow"]
    assert of_other_seed(recipe, 5).training == replace(recipe.training, seed=5)
    with pytest.raises(SettingError, match="seed must be at least 0, got -1"):
        of_other_seed(recipe, -1)


def test_the_published_experiment_is_a_recipe_that_is_trained_on_request_alone(monkeypatch):
    recipe = recipes.RECIPES["wikitext-cbow"]
    assert (recipe.corpus, recipe.minimum_count) == ("wikitext-2", 50)
    assert recipe.training == FullSoftmaxConfig(300, 4, 1.0, 7, 0.1, 20_000, 1)
    trained = []
    monkeypatch.setattr(command, "train", lambda recipe, *_: trained.append(recipe.name))
    monkeypatch.setattr(command, "rows_of", lambda _: ["| a row |"])
    parser = argparse.ArgumentParser()
    command.run.add_arguments(parser)
    command.run(parser.parse_args([]))
    assert trained == ["library-skip-gram", "library-cbow", "book-cbow"]
    command.run(parser.parse_args(["wikitext-cbow"]))
    assert trained[3:] == ["wikitext-cbow"]


def test_the_command_trains_and_evaluates(tale, tmp_path, monkeypatch, capsys):
    toy = EmbeddingRecipe("toy", "Toy", tale, 2, NegativeSamplingConfig(width=8, block=16, batch=2))
    monkeypatch.setitem(recipes.RECIPES, "toy", toy)
    parser = argparse.ArgumentParser()
    command.run.add_arguments(parser)
    command.run(parser.parse_args(["toy", "--seed", "3", "--out", str(tmp_path / "out")]))
    assert "| Toy | 10 | 8 | nan |" in capsys.readouterr().out
    assert load_checkpoint(tmp_path / "out" / "toy").meta.seed == 3
    command.run(parser.parse_args(["--evaluate", str(tmp_path / "out")]))
    printed = capsys.readouterr().out
    assert (printed.count("| Toy |"), printed.count("| Toy, with word families |")) == (1, 1)
    with pytest.raises(SettingError, match="there are no word vectors"):
        command.run(parser.parse_args(["--evaluate", str(tmp_path / "nowhere")]))
