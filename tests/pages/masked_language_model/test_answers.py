"""What the answers of the page on masked language models say, computed by its models."""

import functools
from itertools import combinations

import numpy as np
import pytest

from lm_core.analysis.gaps import AT_ONCE, LEFT_FIRST, RIGHT_FIRST
from lm_core.experiments.masked_language_model.settings import ALL_MASKED, ALL_RANDOM, EIGHTY
from lm_core.experiments.masked_language_model.split_scores import LEFT_IN, REPLACED
from lm_core.text.whole_words import backwards, read_subwords
from pages.masked_language_model import expected as expected_of
from pages.masked_language_model import subject
from pages.masked_language_model.by_word import EXAMPLES as SCORED
from pages.masked_language_model.gibbs_chain import SWEEPS, TOKENS, chain_of
from pages.masked_language_model.one_gap import EXAMPLES
from pages.masked_language_model.several_gaps import _best
from pages.masked_language_model.splits_of_a_sentence import _at_place
from pages.masked_language_model.ways_to_fill import ways_of
from tests.pages.answering import assert_says

says = functools.partial(assert_says, "masked-language-model")

NOT_COMPUTED = {
    "Cover the marks of a sentence": "reads 150 windows of the book's last tenth, half a minute"
}


def read(sentence):
    return read_subwords(sentence, subject.vocabulary(), 96)


def share(value):
    """Return a percentage with its space as the answers are typed."""
    return f"{100 * value:.0f} %"


def of_word(sentence, word):
    """Return a word's probability from the left alone and from both sides."""
    text = read(sentence)
    word %= len(text.words)
    return expected_of.expected(text, word).of_word(text.ids[list(text.words[word])])


# One gap --------------------------------------------------------------------------------------


def test_the_right_side_helps_most_at_the_first_word_and_tells_the_last_full_stop():
    times = {}
    for sentence in EXAMPLES:
        times[sentence] = [np.divide(*of_word(sentence, i)[::-1]) for i in (0, -2)]
    assert all(first > last for first, last in times.values())
    (first, last), stop = next(iter(times.values())), of_word(next(iter(EXAMPLES)), -1)
    assert stop[1] > 0.995
    says("Cover the first word", f"{first:.0f} times", f"{last:.1f} times", share(stop[0]))


def test_a_name_is_told_by_what_somebody_does_or_by_the_title_before_it():
    shining = next(s for s in EXAMPLES if s.startswith("Natasha"))
    left, both = of_word(shining, 0)
    symbols = subject.vocabulary().symbols
    expected = expected_of.expected(read(shining), 0).left[0]
    assert symbols[expected.argmax()] == '"'
    says("Cover *Natasha*", f"*Prince* has {share(expected[symbols.index('Prince')])}")
    titled = of_word("Prince Andrew got up and went out.", 1)
    says("Cover *Natasha*", f"{100 * left:.1f} %", share(both), *map(share, titled))


# Several --------------------------------------------------------------------------------------


def ways(sentence, *words):
    return ways_of("", subject.ids_of(read(sentence)), tuple(i - 1 for i in words))


ROOM = "He opened the door and went out of the room."


def test_words_far_apart_may_be_filled_at_once_and_neighbours_not():
    far, near = ways(ROOM, 2, 10), ways(ROOM, 7, 8)
    (best,) = {_best(far, order) for order in far.pairs}
    said = [far.pairs[order][best] for order in ("at_once", "left_first")]
    for order, pair in (("at_once", "out to"), ("left_first", "out of")):
        assert near.symbols[_best(near, order)] == pair
        said.append(near.pairs[order].max())
    says("Cover two words far apart", *map(share, said))


@pytest.mark.slow
def test_how_often_one_pair_wins_in_all_orders():
    far, near = [], []
    for sentence in list(EXAMPLES)[:4]:
        for a, b in combinations(range(1, len(read(sentence).words)), 2):
            if b - a == 1 or b - a >= 5:
                found = ways(sentence, a, b)
                best = {_best(found, order) for order in found.pairs}
                (near if b - a == 1 else far).append(len(best) == 1)
    said = (f"{sum(some)} of {len(some)}" for some in (far, near))
    says("Cover two words far apart", *said)


def filled(found, order):
    return "".join(subject.vocabulary().spell(found.filled[order][0][1:]))


def test_what_is_filled_into_a_whole_clause_is_hardly_english():
    found = ways(ROOM, 6, 7, 8, 9, 10)
    texts = {filled(found, order) for order in found.filled}
    assert len(texts) == 4
    clause = [filled(found, order)[len("He opened the door and ") : -1] for order in (AT_ONCE, LEFT_FIRST)]  # fmt: skip
    says("Cover a whole clause", *clause)


def test_two_gaps_at_the_beginning_fit_only_in_turn():
    found = ways("Prince Andrew got up and began to pace up and down the room.", 1, 2)
    first = [filled(found, order).split()[0] for order in (AT_ONCE, RIGHT_FIRST)]
    pairs = [subject.results().of_pairs(order).both_right for order in (LEFT_FIRST, AT_ONCE)]
    says("Cover *Prince* and", *first, *(f"{100 * right:.1f} %" for right in pairs))


# Sentence and word classes --------------------------------------------------------------------


def test_backwards_nothing_is_easy_and_the_first_word_nearly_impossible():
    rows = {}
    for sentence in SCORED:
        text, turned = read(sentence), read(backwards(sentence))
        as_it_is, both_ways = expected_of.word_bits(text), expected_of.word_bits(turned)
        easy = [bits for bits in zip(*both_ways, strict=True) if max(bits) < 3]
        assert easy == []
        rows[sentence] = sum(as_it_is.both), sum(both_ways.both), both_ways.both[0]
    before, after, first = rows[list(SCORED)[-1]]
    capital = backwards(list(SCORED)[-1])
    large = expected_of.word_bits(read(capital[0].upper() + capital[1:])).both[0]
    says("Read your sentence", f"{before:.0f} to {after:.0f}", f"{first:.0f} bits", f"{large:.0f}")


def test_a_rare_word_may_have_more_bits_from_both_sides():
    text, nouns = read(list(SCORED)[2]), subject.results().of_class("NOUN")
    word = text.spellings.index("shining")
    bits = [getattr(expected_of.word_bits(text), side)[word] for side in ("left", "both")]
    said = [*bits, nouns.left_bits, nouns.both_bits]
    says("Find a word that costs more", *(f"{value:.1f}" for value in said))


def test_a_repeated_word_is_not_simply_copied():
    very = expected_of.word_bits(read("It was a very, very good thing."))
    door = expected_of.word_bits(read("He opened the door door and went out."))
    said = (very.left[3], very.left[5], door.left[3], door.left[4], very.both[5], very.both[3])
    says("Type *It was a very", *(f"{value:.1f}" for value in said))
    for text in ("It was a very, good thing.", "It was a very good thing."):
        says("Type *It was a very", f"{expected_of.word_bits(read(text)).both[3]:.1f}")


def test_what_is_guessed_by_word_class():
    of = subject.results().of_class
    nouns, pronouns = of("NOUN"), of("PRON")
    says("Compare guessed words", share(nouns.both), share(nouns.left))
    says("Compare guessed words", f"{nouns.both_bits:.1f}", f"{nouns.left_bits:.1f}")
    assert of("ADJ").both > of("ADJ").left
    assert of("ADJ").both_bits > of("ADJ").left_bits
    said = (pronouns.both, of("CONJ").both, of("ADJ").both)
    says("Why are pronouns", *map(share, said))


# 80 / 10 / 10 and writing ---------------------------------------------------------------------


def test_who_met_wrong_words_sees_one():
    text = read("She did not know what to chair, and began to cry.")
    say = subject.vocabulary().symbols.index(" say")
    expected = {
        name: _at_place(name, name, subject.ids_of(text), 6, LEFT_IN)
        for name in (EIGHTY, ALL_RANDOM, ALL_MASKED)
    }
    assert [int(p.argmax()) == say for p in expected.values()] == [True, True, False]
    assert (expected[ALL_MASKED] > expected[ALL_MASKED][say]).sum() >= 6
    said = [expected[name][say] for name in (EIGHTY, ALL_RANDOM)]
    said += [subject.split_results().of(name, REPLACED).accuracy for name in expected]
    says("Under *Your sentence*", *map(share, said))


def text_after(chain, sweep):
    ids = chain.steps[sweep * TOKENS - 1].tokens[1:]
    return "".join(subject.vocabulary().symbols[i] for i in ids)


def test_a_chain_replaces_all_of_its_first_sweep():
    chain = chain_of(1.0, 0, SWEEPS)
    first, last = text_after(chain, 1), text_after(chain, SWEEPS)
    assert not {*first.strip('"!').split()} & {*last.split()}
    said = (first.strip('"'), f"{chain.bits[0]:.1f} to {chain.bits[-1]:.1f}")
    says("Play the first sweep", *said)


@pytest.mark.slow
def test_ten_chains_end_at_other_texts_and_mostly_at_speech():
    chains = [chain_of(1.0, seed, SWEEPS) for seed in range(10)]
    ends = [text_after(chain, SWEEPS) for chain in chains]
    assert len(set(ends)) == 10
    assert sum(text.startswith('"') and text.endswith('"') for text in ends) == 7
    says("Change the seed", "seven of the ten")
    assert [seed for seed, chain in enumerate(chains) if chain.bits[-1] > chain.bits[0]] == [2]
    says("Play the first sweep", "with seed 2 alone")


@pytest.mark.slow
def test_at_a_low_temperature_chains_mostly_stammer():
    chains = [chain_of(0.3, seed, SWEEPS) for seed in range(10)]
    assert sum("o-o-o" in text_after(chain, SWEEPS).lower() for chain in chains) == 6
    says("Lower the temperature to 0.3", "six end with")
    kept = sum(step.before == step.tokens[step.place] for step in chains[0].steps[-TOKENS:])
    said = text_after(chains[0], SWEEPS).strip('"')
    says("Lower the temperature to 0.3", said, f"{kept} of the {TOKENS} draws")


def test_the_example_of_a_lecture():
    found = ways("Let's make some chicken! It tastes great with orange sauce.", 4, 8)
    texts = [filled(found, order) for order in found.filled]
    written = max(texts, key=texts.count)
    assert texts.count(written) == 3
    says("A lecture fills", f"*{written}*", "three of the four orders")
    assert not any("[SEP]" in symbol for symbol in subject.vocabulary().symbols)
