"""Minimal pairs: what is read, how a pair is judged, and what the command makes of both."""

import argparse
import gzip
import json
import math

import numpy as np
import pytest
import torch

from lm_core.analysis.surprisal import score_text
from lm_core.errors import CorpusError, CorpusUnavailableError
from lm_core.experiments.minimal_pairs import benchmark, command
from lm_core.experiments.minimal_pairs.benchmark import FILE, MinimalPair, load_kinds
from lm_core.experiments.minimal_pairs.measuring import sentence_nats, share_right
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    KindScore,
    MeanShare,
    MinimalPairResults,
)
from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.training.checkpoints import load_shipped
from lm_core.training.model_vocabulary import vocabulary_of

PAIRS = (
    MinimalPair("The old horses sleep.", "The old horses sleeps."),
    MinimalPair("The queen praised herself.", "The queen praised himself."),
    MinimalPair("He saw these towns.", "He saw this towns."),
)
ROWS = [
    {"good": g, "bad": b, "term": term, "field": "syntax", "paradigm": paradigm, "pair": i}
    for term, paradigm in (("s-selection", "rule_1"), ("ellipsis", "rule_2"))
    for i, (g, b) in enumerate(PAIRS)
]


@pytest.fixture
def data(tmp_path, monkeypatch):
    """A data folder with a benchmark of invented pairs, and no other."""
    monkeypatch.setattr(benchmark, "search_folders", lambda: [tmp_path])
    (tmp_path / FILE).parent.mkdir()
    write(tmp_path / FILE, ROWS)
    return tmp_path


def write(path, rows):
    with gzip.open(path, "wt") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)


class Likes(torch.nn.Module):
    """A model for which only the number of one character matters: each costs it a nat less."""

    def __init__(self, character):
        super().__init__()
        self.bias = torch.zeros(len(FULL))
        self.bias[FULL.symbols.index(character)] = 1.0

    def initial_state(self, batch):
        return ()

    def forward(self, tokens, state):
        return self.bias.expand(*tokens.shape, -1), state


def test_kinds_are_read_with_their_first_pairs(data):
    first, second = load_kinds(2)
    assert first == ("rule_1", "argument_structure", PAIRS[:2])
    assert second == ("rule_2", "ellipsis", PAIRS[:2])
    assert [len(kind.pairs) for kind in load_kinds()] == [3, 3]


def test_a_missing_benchmark_is_said_with_where_it_belongs(data):
    (data / FILE).unlink()
    with pytest.raises(CorpusUnavailableError, match=f"{FILE} must be in one of {data}"):
        load_kinds()


@pytest.mark.parametrize("rows", [[{"good": "A."}], [[1]], ["no pair"]])
def test_a_file_of_other_lines_is_refused(data, rows):
    write(data / FILE, rows)
    with pytest.raises(CorpusError, match="good, bad, term and paradigm"):
        load_kinds()


def test_a_file_that_breaks_off_is_refused(data):
    (data / FILE).write_bytes((data / FILE).read_bytes()[:-20])
    with pytest.raises(CorpusError):
        load_kinds()


@pytest.mark.parametrize("name", ["book-subword-transformer", "book-gru", "book-ngram"])
def test_sentences_side_by_side_cost_what_each_costs_alone(name):
    model, meta = load_shipped(name)
    vocabulary = vocabulary_of(meta)
    texts = [vocabulary.normalise(sentence) for pair in PAIRS for sentence in pair]
    alone = [score_text(model, text, vocabulary).surprisal.sum() * math.log(2.0) for text in texts]
    assert sentence_nats(model, vocabulary, texts) == pytest.approx(np.array(alone), abs=1e-3)


def test_the_likelier_sentence_is_the_models_choice_and_a_tie_is_half_a_pair():
    longer = MinimalPair("eel", "eel eel")
    assert share_right(Likes("e"), FULL, [longer, longer, longer]) == 1.0
    assert share_right(Likes("e"), FULL, [MinimalPair(*reversed(longer))]) == 0.0
    assert share_right(Likes("e"), FULL, [MinimalPair("tea", "ate")]) == 0.5
    assert share_right(Likes("e"), FULL, [longer, MinimalPair("tea", "ate")]) == 0.75


def test_what_a_vocabulary_cannot_tell_apart_is_a_tie():
    model, _ = load_shipped("book-gru")
    assert share_right(model, SOURCE, [MinimalPair("The dog's dinner.", "The dogs dinner.")]) == 0.5


def test_kinds_weigh_alike_in_a_mean():
    scores = [
        KindScore("m", "a", "ellipsis", 1.0, 10),
        KindScore("m", "b", "ellipsis", 0.5, 1_000),
        KindScore("m", "c", "binding", 0.0, 10),
        KindScore("other", "c", "binding", 1.0, 10),
    ]
    results = MinimalPairResults({}, tuple(scores))
    assert results.overall("m").right == 0.5
    found = results.by_phenomenon("m")
    assert list(found) == ["binding", "ellipsis"]
    assert found["ellipsis"].right == 0.75
    assert found["ellipsis"].standard_error == pytest.approx(0.25 / 1_000**0.5)
    assert results.by_phenomenon("unknown") == {}


def test_every_phenomenon_has_published_figures():
    assert list(PUBLISHED) == list(PHENOMENA)
    assert all(0.0 < share < 1.0 for published in PUBLISHED.values() for share in published)


def run(*options):
    parser = argparse.ArgumentParser()
    command.run.add_arguments(parser)
    command.run(parser.parse_args(list(options)))


def test_the_command_scores_each_kind_and_keeps_the_rows_of_others(data, capsys):
    out = data / "results.json"
    other = KindScore("other", "rule_1", "argument_structure", 0.5, 3)
    former = KindScore("book-gru", "rule_9", "ellipsis", 0.0, 9)
    MinimalPairResults({}, (other, former)).save(out)
    run("book-gru", "--pairs", "2", "--out", str(out))
    results = MinimalPairResults.load(out)
    assert [(s.model, s.kind, s.n_pairs) for s in results.scores] == [
        ("other", "rule_1", 3),
        ("book-gru", "rule_1", 2),
        ("book-gru", "rule_2", 2),
    ]
    model, meta = load_shipped("book-gru")
    expected = share_right(model, vocabulary_of(meta), PAIRS[:2])
    assert results.overall("book-gru") == MeanShare.of(list(results.scores[1:]))
    assert results.overall("book-gru").right == pytest.approx(expected)
    printed = capsys.readouterr().out
    assert "what may be left out" in printed
    assert "islands" not in printed
    assert f"{expected:.1%}" in printed
