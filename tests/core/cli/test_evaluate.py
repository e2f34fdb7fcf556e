from dataclasses import replace
from functools import partial

import numpy as np
import pytest
import torch

from lm_core.__main__ import main
from lm_core.experiments.war_and_peace import scoring as evaluate
from lm_core.experiments.war_and_peace.results import BookLosses
from lm_core.models.recurrent_language_model import LSTMLanguageModelConfig
from lm_core.models.registry import build
from lm_core.rng import generator
from lm_core.text import vocabularies
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.training_text import Book
from lm_core.training.checkpoints import load_checkpoint, read_meta, save_checkpoint
from lm_core.training.evaluation import carried_losses, cold_window_losses, mixed_losses
from lm_core.training.model_vocabulary import vocabulary_fields
from tests.small_checkpoints import meta_of

CONFIG = LSTMLanguageModelConfig(len(SOURCE), 4, 6, 1)


@pytest.fixture
def book(monkeypatch):
    """A book of 3,000 characters whose last 60 are the licence."""
    ids = torch.randint(1, len(SOURCE), (3_000,), generator=generator(0)).numpy()
    book = Book(ids, SOURCE, "war-and-peace", "f" * 64, 2_940)
    monkeypatch.setattr(evaluate, "load_book", lambda vocabulary: book)
    return book


def save(root, name, seed, config=CONFIG, vocabulary=SOURCE.name, **more):
    model = build(config)
    model.initialise(generator(seed))
    meta = meta_of(config, name=name, vocabulary=vocabulary, **more)
    return save_checkpoint(root, model, meta)


def rows_of(path):
    return {row.name: row for row in BookLosses.load(path).rows}


def test_the_table_holds_what_the_yardstick_measures(book, tmp_path, capsys):
    folder = save(tmp_path, "tiny", 1)
    assert main(["evaluate", str(folder), "--stride", "3", "--save", str(tmp_path / "t.json")]) == 0
    row = rows_of(tmp_path / "t.json")[str(folder)]
    model, text = load_checkpoint(folder).model, torch.from_numpy(book.validation)
    losses = carried_losses(model, text)
    assert row.losses["B"].nats == pytest.approx(losses.mean())
    assert row.losses["B'"].nats == pytest.approx(losses[:-60].mean())
    assert row.losses["A"].nats == pytest.approx(cold_window_losses(model, text, stride=3).mean())
    assert row.losses["B"].bits == pytest.approx(losses.mean() / np.log(2))
    assert f"{losses.mean():.4f}" in capsys.readouterr().out


def test_a_mixture_is_scored_on_the_same_characters(book, tmp_path):
    first, second = save(tmp_path, "one", 1), save(tmp_path, "two", 2)
    command = ["evaluate", str(first), "--mix", str(first), str(second), "0.3"]
    assert main([*command, "--save", str(tmp_path / "t.json")]) == 0
    rows = rows_of(tmp_path / "t.json")
    text = torch.from_numpy(book.validation)
    losses = [carried_losses(load_checkpoint(folder).model, text) for folder in (first, second)]
    mixed = rows[f"0.3 {first} + {second}"]
    assert mixed.losses["B"].nats == pytest.approx(mixed_losses(*losses, 0.3).mean())
    assert "A" not in mixed.losses


def test_models_are_compared_character_by_character_with_the_first(book, tmp_path):
    first, second = save(tmp_path, "one", 1), save(tmp_path, "two", 2)
    command = ["evaluate", str(first), str(second), "--mix", str(first), str(second), "0.3"]
    assert main([*command, "--save", str(tmp_path / "t.json")]) == 0
    rows = rows_of(tmp_path / "t.json")
    assert rows[str(first)].difference is None
    for name in (str(second), f"0.3 {first} + {second}"):
        difference = rows[name].difference
        assert difference.to == str(first)
        apart = rows[name].losses["B"].nats - rows[str(first)].losses["B"].nats
        assert difference.nats == pytest.approx(apart)
    assert [row.kind for row in rows.values()] == ["trained", "trained", "mixture"]


def test_models_that_are_not_named_keep_their_rows(book, tmp_path):
    first, second = save(tmp_path, "one", 1), save(tmp_path, "two", 2)
    command = ["evaluate", str(first), "--stride", "30", "--save", str(tmp_path / "t.json")]
    assert main(command) == 0
    kept = rows_of(tmp_path / "t.json")[str(first)]
    assert main(["evaluate", str(second), *command[2:]]) == 0
    assert list(rows_of(tmp_path / "t.json")) == [str(first), str(second)]
    assert repr(rows_of(tmp_path / "t.json")[str(first)]) == repr(kept)  # nan is not itself


def test_the_error_of_a_difference_is_that_of_the_paired_losses(monkeypatch):
    monkeypatch.setattr(evaluate, "score", partial(evaluate.score, block=2))
    easy_and_hard = np.array([1.0, 1.0, 5.0, 5.0])
    carried = {"first": easy_and_hard}
    difference = evaluate._difference(easy_and_hard + 0.5, carried)
    assert difference == ("first", 0.5, 0.0)


def test_recording_stamps_the_checkpoint(book, tmp_path):
    folder = save(tmp_path, "tiny", 1)
    assert main(["evaluate", str(folder), "--record"]) == 0
    assert set(read_meta(folder).losses) == {"A", "B", "B'"}


def test_the_counted_ngram_needs_no_checkpoint(book, capsys):
    assert main(["evaluate", evaluate.FULL_NGRAM]) == 0
    assert "ngram-9" in capsys.readouterr().out


@pytest.mark.parametrize("weight", ["0", "1", "nan", "half"])
def test_a_weight_outside_its_range_is_refused_before_any_work(weight, capsys):
    assert main(["evaluate", "--mix", "a", "b", weight]) == 1
    assert f"must lie in (0, 1), got '{weight}'" in capsys.readouterr().err


def test_a_missing_model_is_named(book, capsys):
    assert main(["evaluate", "nowhere"]) == 1
    assert "no readable meta.json in nowhere" in capsys.readouterr().err


@pytest.fixture
def book_in_parts(book, monkeypatch):
    """The book of the other tests, and the same text in word parts."""
    parts = vocabularies.vocabulary_named(vocabularies.SOURCE_SUBWORDS)
    text = SOURCE.decode(book.ids)
    pieces = [parts.encode(text[a:b]) for a, b in ((0, 2_700), (2_700, 2_940), (2_940, 3_000))]
    read = replace(
        book,
        ids=np.concatenate(pieces),
        vocabulary=parts,
        licence_start=len(pieces[0]) + len(pieces[1]),
    )
    monkeypatch.setattr(
        evaluate, "load_book", lambda vocabulary: {SOURCE: book}.get(vocabulary, read)
    )
    return read


def save_of_parts(root):
    config = LSTMLanguageModelConfig(vocabularies.SOURCE_SUBWORDS_SIZE, 4, 6, 1)
    return save(root, "parts", 3, config, vocabularies.SOURCE_SUBWORDS)


def test_word_parts_are_scored_per_character(book_in_parts, tmp_path):
    characters, parts = save(tmp_path, "one", 1), save_of_parts(tmp_path)
    assert main(["evaluate", str(characters), str(parts), "--save", str(tmp_path / "t.json")]) == 0
    row = rows_of(tmp_path / "t.json")[str(parts)]
    ids = book_in_parts.validation
    losses = carried_losses(load_checkpoint(parts).model, torch.from_numpy(ids))
    lengths = book_in_parts.vocabulary.lengths[ids]
    assert row.losses["B"].nats == pytest.approx(losses.sum() / lengths[1:].sum())
    n_licence = len(book_in_parts.ids) - book_in_parts.licence_start
    novel = losses[:-n_licence].sum() / lengths[1:-n_licence].sum()
    assert row.losses["B'"].nats == pytest.approx(novel)
    assert "A" not in row.losses
    first = carried_losses(
        load_checkpoint(characters).model,
        torch.from_numpy(SOURCE.encode(book_in_parts.vocabulary.decode(ids))),
    )
    n = lengths[1:].sum()
    expected = losses.sum() / n - first[-n:].mean()
    assert row.difference.nats == pytest.approx(expected)


def test_models_that_cannot_be_compared_are_refused(book_in_parts, tmp_path, capsys):
    characters, parts = save(tmp_path, "one", 1), save_of_parts(tmp_path)
    assert main(["evaluate", "--mix", str(characters), str(parts), "0.5", str(characters)]) == 1
    assert "do not both predict characters" in capsys.readouterr().err
    own = vocabularies.vocabulary_of_characters("abc")
    config = replace(CONFIG, vocabulary_size=len(own))
    other = save(tmp_path, "other", 1, config, **vocabulary_fields(own))
    assert main(["evaluate", str(other)]) == 1
    assert "another text" in capsys.readouterr().err


def test_models_of_another_text_are_scored_on_it_and_not_compared(book, tmp_path, monkeypatch):
    ids = torch.randint(1, len(FULL), (2_000,), generator=generator(1)).numpy()
    whole = Book(ids, FULL, "war-and-peace", "f" * 64, 2_000)
    monkeypatch.setattr(evaluate, "load_book", lambda of: {SOURCE: book, FULL: whole}[of])
    config = replace(CONFIG, vocabulary_size=len(FULL))
    first = save(tmp_path, "one", 1)
    full = [save(tmp_path, f"full-{seed}", seed, config, FULL.name) for seed in (1, 2)]
    folders = [str(folder) for folder in (first, *full)]
    assert main(["evaluate", *folders, "--save", str(tmp_path / "t.json")]) == 0
    rows = rows_of(tmp_path / "t.json")
    assert [row.text for row in rows.values()] == ["source", "full", "full"]
    losses = carried_losses(load_checkpoint(full[0]).model, torch.from_numpy(whole.validation))
    assert rows[str(full[0])].losses["B"].nats == pytest.approx(losses.mean())
    assert rows[str(full[0])].difference is None
    assert rows[str(full[1])].difference.to == str(full[0])
    assert main(["evaluate", "--mix", *folders[:2], "0.5", folders[0]]) == 1
