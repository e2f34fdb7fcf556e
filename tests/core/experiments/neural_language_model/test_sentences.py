"""The sentences with a dog and a cat: what counts cannot know and the network does."""

import numpy as np
import pytest
import torch

from lm_core.errors import TextError
from lm_core.experiments.neural_language_model import sentences

OURS = sentences.read_sentences(sentences.SENTENCES)
ROOMS, ROADS = ("kitchen", "garden", "door"), ("tunnel", "city", "street")


def share(probabilities, words, corpus=OURS):
    return sum(probabilities[corpus.words.index(word)] for word in words)


def test_no_sentence_has_a_cat_or_a_bus_that_goes():
    for line in sentences.SENTENCES.splitlines():
        assert not ({"cat", "bus"} & set(line.split()) and "goes" in line)


def test_counts_know_nothing_of_the_cat_and_without_it_cannot_tell_rooms_from_roads():
    tables = sentences.count_tables(OURS)
    cat, dog = (OURS.encode(f"the {animal} goes through the") for animal in ("cat", "dog"))
    whole, seen, n_words = sentences.counted_after(tables, cat)
    assert whole.sum() == 0
    assert n_words == sentences.CONTEXT_SIZE - 1
    assert share(seen, ROOMS) == pytest.approx(share(seen, ROADS)) == pytest.approx(0.5)
    whole, seen, n_words = sentences.counted_after(tables, dog)
    assert share(whole, ROOMS) == share(seen, ROOMS) == pytest.approx(1.0)
    assert n_words == sentences.CONTEXT_SIZE


@pytest.mark.parametrize("seed", range(4))
def test_the_network_sends_the_cat_where_dogs_go_and_the_bus_where_cars_go(seed):
    first, *_, last = sentences.learn_sentences(OURS, seed)
    for who, right, wrong in (("cat", ROOMS, ROADS), ("bus", ROADS, ROOMS)):
        probabilities = last.after(OURS.encode(f"the {who} goes through the"))
        assert share(probabilities, right) > 0.8 > 0.1 > share(probabilities, wrong)
        before = first.after(OURS.encode(f"the {who} goes through the"))
        assert share(before, right) == pytest.approx(3 / len(OURS.words), abs=0.02)
    place = {word: i for i, word in enumerate(OURS.words)}

    def distance(a, b):
        return last.distance(place[a], place[b])

    assert 1.5 * distance("cat", "dog") < distance("cat", "car")
    assert 1.5 * distance("bus", "car") < distance("bus", "dog")


def test_where_animals_and_vehicles_share_nothing_of_their_own_it_cannot_tell():
    lines = [s for s in sentences.SENTENCES.splitlines() if not {"cat", "bus"} & set(s.split())]
    corpus = sentences.read_sentences("\n".join([*lines, "the cat", "the bus"]))
    last = sentences.learn_sentences(corpus, 0)[-1]
    cat, bus = (
        share(last.after(corpus.encode(f"the {who} goes through the")), ROOMS, corpus)
        for who in ("cat", "bus")
    )
    assert abs(cat - bus) < 0.3


def test_it_is_kept_at_each_frame_and_its_loss_falls():
    snapshots = sentences.learn_sentences(OURS, 0)
    assert [s.step for s in snapshots] == list(sentences.FRAMES)
    assert snapshots[0].loss == pytest.approx(np.log(len(OURS.words)), abs=0.05)
    assert snapshots[-1].loss < 0.6
    assert not torch.equal(snapshots[0].embedding, snapshots[-1].embedding)


def test_every_word_and_every_end_is_an_example():
    corpus = sentences.read_sentences("the cat\nA dog")
    contexts, targets = sentences.examples_of_sentences(corpus)
    assert corpus.words == (".", "the", "cat", "a", "dog")
    assert targets.tolist() == [1, 2, 0, 3, 4, 0]
    assert contexts[2].tolist() == [0, 0, 1, 2]
    assert contexts[5].tolist() == [0, 0, 3, 4]


def test_a_short_context_is_read_as_the_beginning_of_a_sentence():
    assert sentences.whole_context((1, 2)) == (0, 0, 1, 2)
    assert sentences.whole_context((1, 2, 3, 4, 5)) == (2, 3, 4, 5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("हिन्दी में", ["हिन्दी", "में"]),
        ("'so-called' -", ["so-called"]),
        ("Привет, кот!", ["привет", "кот"]),
        ("l'eau 3 x_y", ["l'eau", "x", "y"]),
        ("— 12 …", []),
    ],
)
def test_words_are_runs_of_letters_of_any_alphabet(text, words):
    assert sentences.split_words(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "",
        "the cat sleeps",
        "\n".join(["a b"] * (sentences.MOST_SENTENCES + 1)),
        "a b\n" + "a " * (sentences.MOST_WORDS + 1),
        "12 34\n— …",
        "a" * (sentences.MOST_CHARACTERS + 1) + "\nb",
    ],
)
def test_too_little_and_too_much_are_errors(text):
    with pytest.raises(TextError):
        sentences.read_sentences(text)


def test_too_many_different_words_are_an_error():
    words = [f"{a}{b}" for a in "abcdefgh" for b in "ijklmnop"][: sentences.MOST_DIFFERENT + 1]
    lines = [" ".join(words[i : i + 10]) for i in range(0, len(words), 10)]
    with pytest.raises(TextError, match=str(sentences.MOST_DIFFERENT)):
        sentences.read_sentences("\n".join(lines))


def test_a_word_of_no_sentence_is_an_error_that_names_it():
    with pytest.raises(TextError, match="zebra"):
        OURS.encode("the zebra goes")


def test_words_after_a_word_do_not_reach_into_the_next_sentence():
    corpus = sentences.read_sentences("the cat sleeps\na cat eats the cat")
    cat = corpus.encode("cat")[0]
    assert sentences.words_after(corpus, cat) == set(corpus.encode("sleeps eats"))
