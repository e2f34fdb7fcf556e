"""What the answers for teachers say of n-grams, held to the shipped counts and the models that play."""

import math
import re
from collections import Counter
from functools import cache
from statistics import mean

import numpy as np
import pytest
import torch

from lm_core.analysis.vowels import are_vowels, count_chain, letters_of
from lm_core.experiments.n_grams.documents import Documents, split
from lm_core.experiments.n_grams.results import BOOK, KS, NAMES, SYMBOLS_OF, NGramResults
from lm_core.experiments.n_grams.training import NGramTrainingConfig, train_on_counts
from lm_core.experiments.vowels.results import VowelResults
from lm_core.models.ngram_network import NGramNetworkConfig
from lm_core.rng import generator
from pages.n_grams import game_bits, own_documents
from pages.n_grams.counted import Spelled
from pages.n_grams.game_lines import GIVEN, LINES, readable_line
from pages.n_grams.next_letter import _row, _share
from pages.n_grams.vowel_line import LETTERS
from tests.pages.answering import assert_says

PAGE = "n-grams"
RESULTS = NGramResults.load()
N = range(1, 7)


def percent(share):
    return f"{100 * share:.0f} %"


# Next letter ------------------------------------------------------------------------------------


def bits(counted, word, n):
    """Return the bits of each letter of a word or line."""
    spelled = Spelled(counted, word)
    shares = [_share(_row(spelled, i, n), symbol) for i, symbol in enumerate(spelled.ids)]
    return [-math.log2(share) if share else math.inf for share in shares]


def test_from_which_n_on_a_name_is_impossible():
    lost = {
        name: next((n for n in N if math.inf in bits(NAMES, name, n)), None)
        for name in ("anna", "peter", "thomas")
    }
    assert lost.pop("anna") is None
    for name, n in lost.items():
        spelled = Spelled(NAMES, name)
        rows = [_row(spelled, i, n) for i in range(len(spelled.ids))]
        first = next(i for i, row in enumerate(rows) if not row[spelled.ids[i]])
        assert name[first - n + 1 : first + 1] == {"peter": "peter", "thomas": "thom"}[name]
        assert bool(rows[first].sum()) == (name == "thomas"), (
            "a context that is too rare has no row"
        )
    assert_says(PAGE, "Type your own name", f"fewer than {RESULTS.minimum[NAMES][4]} times")
    assert_says(PAGE, "Type your own name", *(f"n = {n}" for n in lost.values()), f"n = {N[-1]}")
    assert (
        mean(bits(NAMES, "anna", 6)) > mean(bits(NAMES, "anna", 5)) < mean(bits(NAMES, "anna", 4))
    )


def test_a_line_hesitates_at_the_beginnings_of_words():
    line = "the prince looked at the countess and said"
    found = bits(BOOK, line, 4)
    begins = [i == 0 or line[i - 1] == " " for i in range(len(line))]
    first, inside = (mean(b for b, at in zip(found, begins, strict=True) if at is is_first) for is_first in (True, False))  # fmt: skip
    assert first > 4 * inside


# Unseen -----------------------------------------------------------------------------------------


def counts(text, n):
    """Return how often each symbol (columns) came after each context (rows)."""
    size = len(SYMBOLS_OF[text])
    return RESULTS.tables[text][n - 1].row(np.arange(size ** (n - 1)))


def test_the_larger_alphabet_leaves_more_of_the_matrix_white():
    sizes = [str(len(SYMBOLS_OF[text])) for text in (BOOK, NAMES)]
    assert_says(PAGE, "Compare the names", *sizes)
    white = {text: (counts(text, 2) == 0).mean() for text in (BOOK, NAMES)}
    assert white[BOOK] > 4 * white[NAMES]
    book = SYMBOLS_OF[BOOK]
    capitals = [i for i, symbol in enumerate(book) if symbol.isupper()]
    assert not counts(BOOK, 2)[book.index(","), capitals].any()


def test_pairs_that_nothing_follows():
    never, names = counts(NAMES, 3).sum(1) == 0, SYMBOLS_OF[NAMES]
    assert_says(PAGE, "In the matrix", str(never.sum()), str(len(never)))
    assert all(never[names.index(a) * len(names) + names.index(b)] for a, b in ("bx", "vt"))


def test_how_many_contexts_there_are():
    millions, milliards = (len(SYMBOLS_OF[text]) ** 5 for text in (NAMES, BOOK))
    said = f"about {millions / 1e6:.0f} million", f"{milliards / 1e9:.1f} billion"
    assert_says(PAGE, "How many letters", *said)


# Smoothing --------------------------------------------------------------------------------------


def test_the_best_k_is_in_the_middle_and_matters_for_long_contexts():
    scores = RESULTS.of_text(NAMES)
    best = int(np.argmin(scores[5].add_k))
    assert_says(PAGE, "Find the k", f"k = {KS[best]:g}", f"{scores[1].possible} contexts")
    assert 2 < best < len(KS) - 3
    spread = {score.n: max(score.add_k) - min(score.add_k) for score in scores}
    assert spread[6] > 20 * spread[2]


def test_from_which_n_on_kneser_ney_is_better():
    gains = {
        text: [
            math.exp(score.interpolation) - math.exp(score.kneser_ney)
            for score in RESULTS.of_text(text)
        ]
        for text in (NAMES, BOOK)
    }
    assert_says(PAGE, "Where do interpolation", "n = 3", f"n = {1 + int(np.argmax(gains[NAMES]))}")
    assert max(gain for some in gains.values() for gain in some[:2]) < 0.005
    assert gains[BOOK] == sorted(gains[BOOK])
    assert min(some[2] for some in gains.values()) > 0.01


def test_plain_counts_fit_their_own_text_best():
    for text in (NAMES, BOOK):
        losses = [score.training_loss for score in RESULTS.of_text(text)]
        assert losses == sorted(losses, reverse=True)
        for score in RESULTS.of_text(text)[2:]:
            assert score.training_loss < min(score.kneser_ney, score.interpolation, *score.add_k)


# As a network -----------------------------------------------------------------------------------


@cache
def trained(n, seed=0):
    """Return the steps of a training on plain counts."""
    config = NGramTrainingConfig(NGramNetworkConfig(27, n), 0.0, seed=seed)
    return tuple(train_on_counts(config, counts(NAMES, n)))


def never_followed(n):
    table = torch.from_numpy(counts(NAMES, n))
    return (table == 0) & (table.sum(1, keepdim=True) > 0)


def test_weights_of_what_never_followed_go_on_falling():
    steps = trained(2)
    middle, end = (
        float(step.weight[never_followed(2)].mean()) for step in (steps[len(steps) // 2], steps[-1])
    )
    said = (f"−{-middle:.2f}", f"−{-end:.2f}")
    assert_says(PAGE, "Train with 0", *said)
    assert float((steps[-1].weight - steps[-11].weight).abs().max()) < 0.001


def test_rows_of_contexts_that_never_came_keep_their_weights():
    steps = trained(3)
    has_changed = (steps[0].weight != steps[-1].weight).any(1)
    assert torch.equal(has_changed, torch.from_numpy(counts(NAMES, 3).sum(1) > 0))


def test_another_seed_ends_at_the_same_probabilities():
    one, other = (trained(2, seed)[-1] for seed in (0, 1))
    assert abs(one.probabilities - other.probabilities).max() < 0.001
    assert float((one.weight - other.weight).abs().max()) > 1
    assert_says(PAGE, "Change the seed", f"near {one.probabilities[never_followed(2)].max():.0f}")


# Shannon game -----------------------------------------------------------------------------------

GERMAN = (
    "der alte mann sass am fenster und sah den vogeln im garten zu",
    "die kinder spielen im hof und lachen sehr laut",
    "ich habe gestern einen brief von meiner schwester bekommen",
    "morgen fahren wir mit dem zug nach berlin",
)
FRENCH = (
    "le vieil homme regardait la pluie tomber sur les toits de la ville",
    "il faut que nous partions demain avant le lever du soleil",
    "les enfants jouent dans le jardin avec un petit chien noir",
    "la princesse regarda par la fenetre et ne repondit rien",
)
TRANSFORMER = "Transformer 4 x 256"


@cache
def bits_of_models(line):
    return game_bits._bits_of_models.__wrapped__(line)


def means(line):
    """Return each model's bits a letter on what is to be guessed."""
    found = bits_of_models(readable_line(line))
    return {name: float(of_letters[GIVEN:].mean()) for name, of_letters in found.items()}


def test_in_another_language_networks_are_mostly_worse_than_knowing_nothing():
    ours = [means(line)[TRANSFORMER] for line in LINES]
    german, french = [means(line) for line in GERMAN], [means(line) for line in FRENCH]
    uniform = german[0][game_bits._UNIFORM]
    theirs, single = ([line[name] for line in german] for name in (TRANSFORMER, "n = 1"))
    said = f"{min(ours):.1f} and {max(ours):.1f}", f"{min(theirs):.1f} and {max(theirs):.1f}"
    assert_says(PAGE, "Choose *Your own*", *said, f"{uniform:.2f}")
    assert_says(PAGE, "Choose *Your own*", f"{min(single):.1f} to {max(single):.1f}")
    above = [max(line, key=line.get) for line in german if line[TRANSFORMER] > uniform]
    assert above == [TRANSFORMER, "LSTM 2 x 512", TRANSFORMER]
    worst = [max(line.keys() - {game_bits._UNIFORM}, key=line.get) for line in french]
    assert worst == ["n = 1", "n = 1", TRANSFORMER, "LSTM 2 x 512"]


def test_first_letters_are_hard_for_all_models():
    found = {TRANSFORMER: ([], [], []), "n = 5": ([], [], [])}
    for line in LINES:
        places = [len(line[: i + 1].split(" ")[-1]) for i in range(len(line))]
        for name, by_place in found.items():
            for place, letter in zip(places, bits_of_models(line)[name], strict=True):
                if place:
                    by_place[min(place, 3) - 1].append(float(letter))
    first, second, later = (f"{mean(some):.1f}" for some in found[TRANSFORMER])
    said = f"{first} bits", f"{second} for", f"{later} for each later"
    assert_says(PAGE, "Where in a word", *said, f"{mean(found['n = 5'][0]):.1f} bits")
    assert mean(found["n = 5"][2]) > mean(found[TRANSFORMER][2]) + 0.3


# Vowels, 1913 -----------------------------------------------------------------------------------


def test_after_how_many_letters_the_difference_is_seen():
    stays_from, n_vowels = [], []
    for i, line in enumerate(LINES):
        vowels = are_vowels(letters_of(line + LINES[(i + 1) % len(LINES)])[:LETTERS])
        shares = [
            (chain.share((True,)), chain.share((False,)))
            for chain in (count_chain(vowels[:n]) for n in range(1, LETTERS + 1))
        ]
        is_below = [None not in both and both[0] < both[1] for both in shares]
        stays_from.append(LETTERS - is_below[::-1].index(False) + 1)
        n_vowels.append(sum(vowels))
    words = {3: "three", 12: "twelve"}
    said = f"{words[min(stays_from)]} to {words[max(stays_from)]}"
    assert_says(PAGE, "Count 60", said, f"{min(n_vowels)} to {max(n_vowels)} vowels")
    assert [round(100 / n) for n in (max(n_vowels), min(n_vowels))] == [4, 5]


def test_what_the_second_letter_back_adds():
    book = next(text for text in VowelResults.load().texts if text.name == "book").counts
    one, two = (
        [percent(book.share((is_vowel,) * n)) for is_vowel in (True, False)] for n in (1, 2)
    )
    assert_says(PAGE, "Count 60", f"{one[0]} against {one[1]}")
    nearly = "nearly 70 %" if 0.685 < book.share((False, False)) < 0.7 else "?"
    assert_says(PAGE, "Choose two letters", nearly, one[1], f"about {two[0]}", one[0])


# Your documents ---------------------------------------------------------------------------------


@cache
def documents(is_of_words):
    return Documents.read(own_documents._EXAMPLE, of_words=is_of_words)


@cache
def continued(n, seed=1, is_of_words=True):
    unit = own_documents._WORDS if is_of_words else own_documents._CHARACTERS
    length = own_documents._LENGTH[unit]
    return tuple(documents(is_of_words).continued("In the", n, length, generator(seed)))


def test_from_which_n_on_the_text_copies():
    forced = {n: mean(step.n_choices == 1 for step in continued(n)) for n in (2, 3, 4, 6)}
    in_words = [percent(forced[n]) for n in (4, 3, 2)]
    assert_says(PAGE, "Raise n from 1 to 6. From", *in_words)
    assert forced[6] == pytest.approx(forced[4], abs=0.03)
    left = [step.n < 6 for step in continued(6) if step.n_choices > 1]
    assert mean(left) > 0.75, "near a document's end or beginning, where fewer words were read"


def changes(n, seed):
    """Return after which words the colour changes, and whether a shorter context was taken."""
    of_words, found, before, colour = documents(True), [], ["In", "the"], None
    for step in continued(n, seed):
        if len(step.documents) == 1:
            if colour not in (None, step.documents):
                context = before[-(step.n - 1) :]
                places = of_words.places_after([of_words.number_of[word] for word in context])
                assert len(set(of_words.owner[places].tolist())) == 2
                found.append((" ".join(context), step.n < n))
            colour = step.documents
        before.append(step.symbol)
    return found


def test_the_colour_changes_after_words_of_both_documents():
    found = {n: [changes(n, seed) for seed in range(1, 9)] for n in (2, 3, 4, 6)}
    places = {words for some in found[3] for words, _ in some}
    assert {words.lower() for words in places} == {"in the", "will be", "it will", ", and"}
    rate = {n: mean(map(len, some)) for n, some in found.items()}
    assert_says(PAGE, "Bring two texts", f"about {rate[2]:.0f}", f"about {rate[3]:.0f}")
    assert 1 < rate[4] < 2
    assert all(is_shorter for some in found[6] for _, is_shorter in some)


@pytest.mark.parametrize("of_words", [True, False])
def test_a_smaller_share_of_longer_n_grams_occurs_twice(of_words):
    symbols = [split(document.text, of_words=of_words) for document in own_documents._EXAMPLE]
    shares = []
    for n in range(1, 9):
        counts = Counter(
            tuple(text[i : i + n]) for text in symbols for i in range(len(text) - n + 1)
        )
        shares.append(mean(count > 1 for count in counts.values()))
    assert shares == sorted(shares, reverse=True)
    assert shares[0] > 2 * shares[-1]


def test_how_large_n_must_be_until_words_are_whole():
    known = {w for document in own_documents._EXAMPLE for w in re.findall(r"\w+", document.text)}

    def whole(n, seed):
        steps = continued(n, seed, is_of_words=False)
        words = re.findall(r"\w+", "In the" + "".join(step.symbol for step in steps))[:-1]
        return mean(word in known for word in words)

    found = {n: mean(whole(n, seed) for seed in range(1, 5)) for n in (2, 3, 4)}
    said = percent(found[4]), f"about {percent(found[3])}", f"about {percent(found[2])}"
    assert_says(PAGE, "Count characters", *said)


NOT_COMPUTED = {
    "Let the chain write": "its numbers are the orders that stand before the rows",
    "Count characters": "*War and Peace* is counted for half a minute: 0.65, 0.92 and 1 of the words"
    " exist with n = 4, 5 and 7, three seeds each",
    "Compare with French": "Markov's share of 1913 is his own count",
}


def test_a_pair_in_the_wrong_order_is_another_pair():
    pairs, symbols = counts(NAMES, 2), SYMBOLS_OF[NAMES]
    a, n = (symbols.index(letter) for letter in "an")
    assert_says(PAGE, "Another text writes", f"{pairs[a, n]:,}", f"{pairs[n, a]:,}")
