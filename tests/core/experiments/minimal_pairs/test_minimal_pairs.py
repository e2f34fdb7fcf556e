"""Minimal pairs: what is read, how a pair is judged, and what the command makes of both."""

import argparse
import gzip
import json
import math

import numpy as np
import pytest

from lm_core.analysis.surprisal import score_text
from lm_core.errors import CorpusError, CorpusUnavailableError
from lm_core.experiments.minimal_pairs import benchmark, command, measuring, our_pairs
from lm_core.experiments.minimal_pairs.benchmark import FILE, MinimalPair, load_kinds
from lm_core.experiments.minimal_pairs.by_word import bits_by_word, columns_of, lead_by_column
from lm_core.experiments.minimal_pairs.results import (
    PHENOMENA,
    PUBLISHED,
    ApartScore,
    KindScore,
    MeanShare,
    MinimalPairResults,
    PairBits,
)
from lm_core.experiments.minimal_pairs.unigram import UNIGRAM, WordUnigram
from lm_core.experiments.neural_language_model.word_results import WordResults
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


def likes(word):
    """Return a reader for which only the number of one character matters: each costs it a nat less."""
    nats = lambda texts: np.array([-float(text.count(word)) for text in texts])  # noqa: E731
    return measuring.Reader("likes", nats, lambda text: (0.0,) * len(text.split()))


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
    assert measuring.sentence_nats(model, vocabulary, texts) == pytest.approx(
        np.array(alone), abs=1e-3
    )


def test_the_likelier_sentence_is_the_models_choice_and_a_tie_is_half_a_pair():
    longer = MinimalPair("eel", "el")
    assert measuring.share_right(likes("e"), [longer, longer, longer]) == 1.0
    assert measuring.share_right(likes("e"), [MinimalPair(*reversed(longer))]) == 0.0
    assert measuring.share_right(likes("e"), [MinimalPair("tea", "ate")]) == 0.5
    assert measuring.share_right(likes("e"), [longer, MinimalPair("tea", "ate")]) == 0.75


def test_what_a_vocabulary_cannot_tell_apart_is_a_tie():
    gru = measuring.reader_of("book-gru")
    assert measuring.share_right(gru, [MinimalPair("The dog's dinner.", "The dogs dinner.")]) == 0.5


def test_two_orders_of_the_same_words_are_a_tie_for_single_words():
    unigram = measuring.reader_of(UNIGRAM)
    assert measuring.share_right(unigram, [our_pairs.OUR_PAIRS["islands"][0]]) == 0.5
    assert measuring.share_right(unigram, PAIRS[2:]) in (0.0, 1.0)


def test_single_words_are_as_surprising_as_they_are_rare():
    words = WordResults.load().vocabulary
    the, rare = WordUnigram(words).bits_by_word("The xylophone,")
    counts = dict(zip(words.words, words.counts, strict=True))
    assert the == pytest.approx(-math.log2(counts["the"] / sum(words.counts)), abs=1e-4)
    assert rare == pytest.approx(-math.log2(counts["<unk>"] / sum(words.counts)), abs=1e-4)


@pytest.mark.parametrize("name", ["book-subword-transformer", "book-ngram"])
def test_the_bits_of_words_add_up_to_the_nats_of_the_sentence(name):
    reader = measuring.reader_of(name)
    text = our_pairs.OUR_PAIRS["agreement"][0].good
    assert sum(reader.bits_by_word(text)) * math.log(2.0) == pytest.approx(
        float(reader.nats([text])[0]), abs=1e-2
    )
    model, meta = load_shipped(name)
    assert bits_by_word(model, vocabulary_of(meta), text) == reader.bits_by_word(text)


def test_equal_words_stand_side_by_side_and_gains_add_up():
    good, bad = "Whose horse did he sell?".split(), "Whose did he sell horse?".split()
    columns = columns_of(good, bad)
    assert [column.good for column in columns] == [(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]
    assert [column.bad for column in columns] == [(0, 1), (1, 1), (1, 2), (2, 3), (3, 5)]
    leads = lead_by_column(columns, (1.0, 2.0, 3.0, 4.0, 5.0), (1.0, 3.5, 4.0, 5.0, 6.0))
    assert leads == [0.0, -2.0, -1.5, -1.5, 4.5]
    assert leads[-1] == sum((1.0, 3.5, 4.0, 5.0, 6.0)) - 15.0


def test_our_pairs_are_pairs_with_words_that_the_book_has():
    assert list(our_pairs.OUR_PAIRS) == list(our_pairs.PHENOMENA_OF_OURS)
    sentences = [text for pairs in our_pairs.OUR_PAIRS.values() for pair in pairs for text in pair]
    assert len(set(sentences)) == len(sentences)
    assert all(set(text) <= set(SOURCE.symbols) & set(FULL.symbols) for text in sentences)


@pytest.mark.parametrize(("between", "words"), [*our_pairs.conditions()])
def test_between_subject_and_verb_stand_as_many_words_as_it_says(between, words):
    pairs = our_pairs.pairs_apart(between, words)
    assert between in our_pairs.BETWEEN
    assert words in our_pairs.DISTANCES
    n_ways = 1 if not words else 2 if between == our_pairs.NO_NOUN else 4
    assert len(set(pairs)) == len(pairs) == 48 * n_ways  # eight nouns in both numbers, three verbs
    for good, bad in pairs:
        differing = [
            i for i, (a, b) in enumerate(zip(good.split(), bad.split(), strict=True)) if a != b
        ]
        assert differing == [2 + words]
    verbs = [good.split()[2 + words] for good, _ in pairs]
    assert verbs.count("was") == verbs.count("were") == len(pairs) // 6


@pytest.mark.parametrize("between", ["same", "other"])
def test_the_noun_between_has_the_number_that_it_says(between):
    for good, _ in our_pairs.pairs_apart(between, 5):
        words = good.split()
        is_plural = words[7] in ("were", "are", "have")
        assert (words[6] in ("ladies", "soldiers")) == (is_plural == (between == "same"))


def test_one_form_of_the_verb_is_right_in_half_of_the_pairs():
    likes_was = likes("was")
    assert measuring.share_right(likes_was, our_pairs.pairs_apart("other", 5)) == 0.5
    scores = measuring.score_apart(likes_was)
    assert {score.right for score in scores} == {0.5}
    assert [(score.between, score.words) for score in scores] == list(our_pairs.conditions())


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
    expected = measuring.share_right(measuring.reader_of("book-gru"), PAIRS[:2])
    assert results.overall("book-gru") == MeanShare.of(list(results.scores[1:]))
    assert results.overall("book-gru").right == pytest.approx(expected)
    printed = capsys.readouterr().out
    assert "what may be left out" in printed
    assert "islands" not in printed
    assert f"{expected:.1%}" in printed


def test_our_own_pairs_need_no_benchmark_and_leave_its_rows(data, capsys):
    (data / FILE).unlink()
    out = data / "results.json"
    kind = KindScore("book-ngram", "rule_1", "ellipsis", 0.5, 3)
    stale = PairBits("book-ngram", "He sleep.", (1.0, 2.0), (1.0, 2.0))
    other, others_pair = ApartScore("other", "same", 3, 0.5, 4), stale._replace(model="other")
    MinimalPairResults({"pairs": 3}, (kind,), (stale, others_pair), (other,)).save(out)
    run("book-ngram", "--ours", "--out", str(out))
    results = MinimalPairResults.load(out)
    assert results.scores == (kind,)
    assert results.provenance["pairs"] == 3
    assert results.by_distance("other", "same") == [other]
    assert [s.words for s in results.by_distance("book-ngram", "other")] == list(
        our_pairs.DISTANCES[1:]
    )
    assert results.bits_of("He sleep.") == {"other": others_pair}
    pair = our_pairs.OUR_PAIRS["islands"][0]
    found = results.bits_of(pair.good)["book-ngram"]
    assert [len(found.good), len(found.bad)] == [len(text.split()) for text in pair]
    names, *rows = capsys.readouterr().out.splitlines()
    assert names.split()[-1] == "book-ngram"
    assert len(rows) == len([*our_pairs.conditions()])
    score = results.by_distance("book-ngram", "other")[0]
    printed = next(row for row in rows if row.startswith("3 words, other"))
    assert printed.endswith(f" {score.right:.1%} ± {score.standard_error:.1%}")


def test_what_is_shipped_holds_every_pair_of_ours_for_every_model():
    results = MinimalPairResults.load()
    assert {UNIGRAM, "book-ngram", "full-lstm", "library-transformer"} < set(results.models)
    assert all(len(results.by_phenomenon(name)) == len(PHENOMENA) for name in results.models)
    apart = [(score.between, score.words) for score in results.apart]
    assert apart == [*our_pairs.conditions()] * len(results.models)
    for pairs in our_pairs.OUR_PAIRS.values():
        for pair in pairs:
            assert set(results.bits_of(pair.good)) == set(results.models)
