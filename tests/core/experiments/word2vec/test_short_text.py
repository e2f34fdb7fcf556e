"""CBOW learned from a short text: what may be learned from, snapshots kept, a pause in between."""

import math
from dataclasses import replace
from itertools import islice

import pytest
import torch

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import SettingError, TextError
from lm_core.experiments.word2vec.full_softmax import FullSoftmaxConfig
from lm_core.experiments.word2vec.short_text import (
    GROUPS,
    MOST_VECTORS,
    MOST_WORDS,
    SKIP_GRAM,
    SNAPSHOTS,
    RecordedTraining,
    Snapshot,
    centre_word_probabilities,
    group_of,
    real_pair_probabilities,
    short_text,
    synthetic_text,
)
from lm_core.rng import generator
from lm_core.text.character_vocabulary import UNKNOWN

CONFIG = FullSoftmaxConfig(width=16, window=4, batch=256, epochs=4)


@pytest.fixture(scope="module")
def kingdom():
    return short_text(synthetic_text(600, generator(1)), 3)


def test_snapshots_are_kept_evenly_and_the_losses_by_step(kingdom):
    training = RecordedTraining(kingdom, CONFIG)
    steps = list(training)
    assert training.is_done
    assert len(steps) == len(training.losses) == training.n_steps
    assert len(training.snapshots) == SNAPSHOTS + 1
    shares = [snapshot.share for snapshot in training.snapshots]
    assert shares == pytest.approx(
        [i / SNAPSHOTS for i in range(SNAPSHOTS + 1)], abs=1 / len(steps)
    )
    first, last = training.snapshots[0], training.snapshots[-1]
    assert (first.step, last.step) == (0, training.n_steps)
    assert not torch.equal(first.input, last.input)
    assert not torch.equal(first.output, last.output)


def test_who_stops_may_go_on_and_arrives_at_the_same_place(kingdom):
    whole, halted = RecordedTraining(kingdom, CONFIG), RecordedTraining(kingdom, CONFIG)
    list(whole)
    list(islice(halted, 5))
    assert not halted.is_done
    assert len(halted.losses) == 5
    halted.take_snapshot()
    assert halted.snapshots[-1].step == 5
    halted.take_snapshot()
    assert [snapshot.step for snapshot in halted.snapshots].count(5) == 1
    list(halted)
    assert len(halted.snapshots) <= SNAPSHOTS + 2
    assert torch.equal(whole.snapshots[-1].input, halted.snapshots[-1].input)


@pytest.mark.parametrize("window", [1, 4])
def test_skip_gram_takes_as_many_steps_as_it_says_and_begins_at_chance(kingdom, window):
    training = RecordedTraining(kingdom, replace(SKIP_GRAM, window=window, epochs=2))
    said = training.n_steps
    steps = list(training)
    assert training.is_done
    assert len(steps) == said == training.n_steps
    assert len(training.snapshots) == SNAPSHOTS + 1
    assert steps[0].loss == pytest.approx(6 * math.log(2), abs=1e-5)
    assert training.losses[-1] < 0.8 * training.losses[0]


def test_a_pair_is_from_the_text_by_the_sigmoid_of_its_product():
    input, output = torch.tensor([[1.0, 0.0], [0.0, 2.0]]), torch.tensor([[3.0, 1.0], [0.0, -1.0]])
    snapshot, ids = Snapshot(0.5, 1, input, output), torch.tensor([0, 1, 1, 0])
    found = real_pair_probabilities(snapshot, ids, 1, 1)
    assert [word for word, _ in found] == [0, 1]
    assert [p for _, p in found] == pytest.approx([1 / (1 + math.exp(-2)), 1 / (1 + math.exp(2))])
    assert [word for word, _ in real_pair_probabilities(snapshot, ids, 3, 2)] == [1, 1]


def test_the_probability_of_a_centre_word_is_the_softmax_over_the_words_around_it():
    input = torch.tensor([[1.0, 0.0], [0.0, 3.0], [0.6, 0.8]])
    output = torch.tensor([[2.0, 0.0], [0.0, 1.0], [-1.0, 1.0]])
    snapshot = Snapshot(0.5, 1, input, output)
    ids = torch.tensor([0, 1, 2, 0, 1])
    config = FullSoftmaxConfig(width=2, window=1, max_norm=1.0)
    # Around place 1 stand words 0 and 2; around place 0 only word 1, shortened to length 1.
    for place, context in ((1, [0.8, 0.4]), (0, [0.0, 1.0])):
        scores = [sum(x * y for x, y in zip(context, row, strict=True)) for row in output.tolist()]
        total = sum(math.exp(score) for score in scores)
        expected = [math.exp(score) / total for score in scores]
        found = centre_word_probabilities(snapshot, ids, place, config)
        assert found.tolist() == pytest.approx(expected, abs=1e-6)
    assert input[1].tolist() == [0.0, 3.0]


def test_words_that_can_stand_for_each_other_come_together_and_others_do_not(kingdom):
    training = RecordedTraining(kingdom, CONFIG)
    list(training)
    words = [word for names in GROUPS.values() for word in names]
    for table in (training.snapshots[-1].input, training.snapshots[-1].output):
        space = WordSpace.of(kingdom.vocabulary, table)
        cosines = space.matrix([kingdom.vocabulary.ids[word] for word in words])
        groups = [group_of(word) for word in words]
        same = torch.tensor([[a == b for a in groups] for b in groups])
        assert cosines[same].min() > 0.6
        assert cosines[~same].mean() < 0.5


def test_the_synthetic_text_never_has_two_words_of_a_group_in_a_sentence():
    text = synthetic_text(300, generator(2))
    assert text == synthetic_text(300, generator(2)) != synthetic_text(300, generator(3))
    for line in text.split("\n"):
        groups = [group_of(word) for word in line.split() if group_of(word) != "other"]
        assert len(groups) == len(set(groups))
    with pytest.raises(SettingError, match="at least 1, got 0"):
        synthetic_text(0, generator(1))


def test_rare_words_keep_their_places_as_one_word_where_they_are_not_left_out():
    text = "the wolf ate the goat and the wolf slept in the barn by the mill of the miller ." * 8
    text = f"one {text} two {text} three"
    left_out, mapped = short_text(text, 2), short_text(text, 2, maps_rare=True)
    words = [mapped.vocabulary.words[i] for i in mapped.ids.tolist()]
    assert len(words) == mapped.n_words == len(left_out.ids) + 3
    assert [i for i, word in enumerate(words) if word == UNKNOWN] == [0, 145, 290]
    assert mapped.vocabulary.words == (*left_out.vocabulary.words, UNKNOWN)
    assert mapped.vocabulary.counts[-1] == 3
    assert list(mapped.vocabulary.counts) == sorted(mapped.vocabulary.counts, reverse=True)
    same = short_text(text, 1, maps_rare=True)
    assert same.vocabulary == short_text(text, 1).vocabulary, "no word is rare"


def test_words_beyond_the_most_vectors_are_mapped_too(monkeypatch):
    monkeypatch.setattr("lm_core.experiments.word2vec.short_text.MOST_VECTORS", 12)
    text = synthetic_text(60, generator(1))
    found = short_text(text, 1, maps_rare=True)
    assert len(found.vocabulary) == 12
    assert UNKNOWN in found.vocabulary
    assert len(found.ids) == found.n_words


def test_a_text_is_cut_at_its_limits():
    words = " ".join(
        f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(1_000)
    )
    text = short_text(" ".join([words] * 40), 1)
    assert text.n_words == 40_000
    assert len(text.vocabulary) == MOST_VECTORS
    assert len(text.ids) == MOST_WORDS * MOST_VECTORS // 1_000
    assert int(text.ids.max()) == MOST_VECTORS - 1


@pytest.mark.parametrize(
    ("text", "count", "message"),
    [
        ("", 1, "at least 100 words to learn from, it has 0"),
        ("1869 🙂 " * 200, 1, "it has 0: add more of it"),
        ("one two " * 60, 1, "at least 10 words must occur in the text once or more, 2 do"),
        ("a b c d e f g h i j k " * 20, 99, "99 times or more"),
    ],
)
def test_too_little_text_is_refused(text, count, message):
    with pytest.raises(TextError, match=message):
        short_text(text, count)
