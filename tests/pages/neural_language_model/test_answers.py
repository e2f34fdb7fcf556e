"""What the answers for teachers say of Bengio's model, held to the shipped networks and to the page's trainings."""

import random
from functools import cache
from itertools import pairwise
from math import comb, exp, log
from statistics import fmean

import numpy as np
import pytest
import torch
from torch.nn import functional

from lm_core.analysis.group_distances import distance_ratio, random_groups_as_close
from lm_core.analysis.principal_components import principal_components
from lm_core.experiments.n_grams.results import NAMES as NAMES_COUNTED
from lm_core.experiments.n_grams.results import NGramResults
from lm_core.experiments.neural_language_model import sentences
from lm_core.experiments.neural_language_model.names import bits_of_names, new_names, sample_names
from lm_core.experiments.neural_language_model.own_names import RIVERS, learn_names, read_names
from lm_core.experiments.neural_language_model.results import NeuralLanguageModelResults
from lm_core.experiments.neural_language_model.study import EMBEDDING_SIZES, steps_of_snapshots
from lm_core.experiments.neural_language_model.training import examples_of_names
from lm_core.experiments.neural_language_model.word_results import WordResults
from lm_core.experiments.neural_language_model.words import END, UNKNOWN, encode_tokens, tokens_of
from lm_core.models.mlp import NORMAL, SCALED, SMALL_OUTPUT
from lm_core.models.ngram import estimate
from lm_core.rng import generator
from lm_core.text import corpora
from lm_core.text.catalogue import NAMES
from lm_core.text.names import SYMBOLS, encode_name, load_names, name_stream, split_names
from lm_core.training.evaluation import carried_losses
from pages.neural_language_model.few_sentences import CONTEXT
from tests.pages.answering import assert_says

PAGE = "neural-language-model"
SEED = 2
ROOMS, ROADS = ("kitchen", "garden", "door"), ("tunnel", "city", "street")
needs_names = pytest.mark.skipif(
    corpora.locate(NAMES.name) is None, reason="the names are not on this machine"
)


@cache
def results():
    return NeuralLanguageModelResults.load()


@cache
def words():
    return WordResults.load()


def percent(share):
    return f"{100 * share:.0f} %"


# Dog and cat ----------------------------------------------------------------------------------


class Learned:
    """Sentences, and the network that has learned them."""

    def __init__(self, text, seed=SEED):
        self.corpus = sentences.read_sentences(text)
        self.network = sentences.learn_sentences(self.corpus, seed)[-1]

    def after(self, context, wanted):
        found = self.network.after(self.corpus.encode(context))
        return [float(found[self.corpus.words.index(word)]) for word in wanted]

    def distance(self, word, other):
        return self.network.distance(*map(self.corpus.words.index, (word, other)))


@cache
def learned(text=sentences.SENTENCES, seed=SEED):
    return Learned(text, seed)


def test_counts_send_the_bus_anywhere_and_the_network_onto_roads():
    corpus = learned().corpus
    asked = "the bus goes through the"
    _, seen, n_words = sentences.counted_after(sentences.count_tables(corpus), corpus.encode(asked))
    assert n_words == len("goes through the".split())
    shares = {percent(float(share)) for share in seen if share}
    assert len(shares) == 1
    assert int((seen > 0).sum()) == len(ROOMS) + len(ROADS)
    assert_says(PAGE, "Ask for `the bus", f"{shares.pop()} each")
    roads = {percent(share) for share in learned().after(asked, ROADS)}
    assert len(roads) == 1
    assert_says(PAGE, "Ask for `the bus", f"{roads.pop()} each")


def test_one_sentence_with_a_cat_suffices_mostly():
    lines = sentences.SENTENCES.splitlines()
    of_cats = [line for line in lines if "cat" in line.split()]

    def rooms(kept, seed=SEED):
        left = "\n".join(line for line in lines if line == kept or "cat" not in line.split())
        return sum(learned(left, seed).after(CONTEXT, ROOMS))

    shares = {kept: rooms(kept) for kept in of_cats}
    failing = min(shares, key=shares.__getitem__)
    others = sorted({percent(share) for kept, share in shares.items() if kept != failing})
    said = f"*{failing}* it gives them {percent(shares[failing])}", " or ".join(others)
    assert_says(PAGE, "In *More*, delete", *said)
    assert min(rooms(failing, seed) for seed in (0, 1, 3)) > 0.8
    assert rooms("the cat eats meat", 5) < 0.2


def test_one_sentence_moves_the_cat_a_little():
    more = learned(f"{sentences.SENTENCES}\nthe cat stops at the bridge")
    before, after = (one.distance("cat", "dog") for one in (learned(), more))
    vehicles = (
        f"{verb} {more.distance('cat', word):.2f}" for verb, word in (("is", "bus"), ("car", "car"))
    )
    assert_says(PAGE, "Add the line", f"at {after:.2f}", f"at {before:.2f}", *vehicles)
    rooms = (percent(sum(one.after(CONTEXT, ROOMS))) for one in (learned(), more))
    assert_says(PAGE, "Add the line", " to ".join(rooms))


# Letters --------------------------------------------------------------------------------------

VOWELS = [SYMBOLS.index(letter) for letter in "aeiou"]
CONSONANTS = [i for i in range(1, len(SYMBOLS)) if i not in VOWELS]
Y = SYMBOLS.index("y")


def together(size):
    """Return by step how near the vowels are."""
    place = EMBEDDING_SIZES.index(size)
    steps = steps_of_snapshots(results().maps[place].config.steps)
    ratios = (distance_ratio(e, VOWELS, CONSONANTS) for e in results().embeddings[place])
    return dict(zip(steps, ratios, strict=True))


def test_when_the_vowels_part():
    found = together(2)
    steps = list(found)
    falls = {(a, b): found[a] - found[b] for a, b in pairwise(steps)}
    largest = sorted(falls, key=falls.__getitem__)[-3:]
    assert sorted(largest) == [(13, 18), (18, 26), (55, 79)]
    said = (f"from {percent(found[a])}" for a in (13, 55))
    reached = (percent(found[step]) for step in (26, 79, steps[-1], 0))
    assert_says(PAGE, "Play from the start", *said, *reached)


def test_y_lies_among_the_vowels():
    for size in EMBEDDING_SIZES:
        last = results().embeddings[EMBEDDING_SIZES.index(size)][-1]
        far = torch.cdist(last, last)[Y]
        means = [float(far[group].mean()) for group in (VOWELS, [i for i in CONSONANTS if i != Y])]
        assert_says(PAGE, "Is `y`", *(f"{mean:.2f}" for mean in means))
        if size == 2:
            assert SYMBOLS[int(far.argsort()[1])] == "i"


@needs_names
def test_vowels_rarely_follow_y():
    counts = np.zeros((len(SYMBOLS), len(SYMBOLS)))
    for name in split_names(load_names()).train:
        ids = [0, *encode_name(name).tolist(), 0]
        np.add.at(counts, (ids[:-1], ids[1:]), 1)
    followed = counts[:, VOWELS].sum(1) / counts.sum(1)
    said = percent(followed[Y]), f"{100 * min(followed[VOWELS]):.0f}"
    assert_says(PAGE, "Is `y`", *said, percent(max(followed[VOWELS])))
    assert np.median(followed[[i for i in CONSONANTS if i != Y]]) > 0.5


def test_ten_numbers_leave_the_vowels_apart():
    two, ten = (together(size) for size in EMBEDDING_SIZES)
    last = results().embeddings[EMBEDDING_SIZES.index(10)][-1]
    shown = percent(float(principal_components(last).shares.sum()))
    ends = percent(ten[max(ten)]), percent(two[max(two)])
    assert_says(PAGE, "With ten *Numbers", *ends, shown)
    assert random_groups_as_close(last, VOWELS, CONSONANTS, 1_000, generator(0)) == 0


# Sizes ----------------------------------------------------------------------------------------


def test_the_gap_grows_with_context_and_units():
    trained = results().trained
    three, eight, few = trained(3, 10, 200), trained(8, 10, 200), trained(8, 10, 50)
    gaps = (f"{one.validation - one.train:.2f}" for one in (three, eight, few))
    held_out = f"{three.validation:.2f} to {eight.validation:.2f}"
    assert_says(PAGE, "Compare names", *gaps, held_out)


def test_the_eighth_letter_helps_a_little():
    def losses(numbers, units):
        return [f"{results().trained(n, numbers, units).validation:.2f}" for n in (5, 8)]

    (ten, two), wide = (losses(numbers, 50) for numbers in (10, 2)), losses(10, 200)
    assert wide[0] == wide[1]
    said = f"{ten[0]} nats", f"to {ten[1]}", f"from {two[0]} to {two[1]}", f"is {wide[0]}"
    assert_says(PAGE, "With 50 hidden", *said)


@needs_names
def test_few_letters_have_six_before_them():
    lengths = [len(name) for name in split_names(load_names()).validation]
    share = sum(max(0, n + 1 - 6) for n in lengths) / sum(n + 1 for n in lengths)
    assert_says(PAGE, "With 50 hidden", percent(share))


def test_counting_is_ahead_from_two_letters_on():
    scores = {score.n - 1: score for score in NGramResults.load().of_text(NAMES_COUNTED)}
    ours = {n: results().trained(n, 10, 200).validation for n in (1, 2, 3, 5)}
    behind = {n: loss - scores[n].kneser_ney for n, loss in ours.items()}
    assert min(behind, key=behind.__getitem__) == 1
    first = f"{ours[1]:.3f} nats to {scores[1].kneser_ney:.3f}"
    assert_says(PAGE, "Kneser-Ney", first, f"{behind[3]:.2f} nats", f"{behind[5]:.2f} with five")


@needs_names
def test_a_part_of_the_lead_is_known_by_heart():
    split = split_names(load_names())
    known = set(split.train)
    new = [name for name in split.validation if name not in known]
    counts = estimate(name_stream(split.train, 5)[0], len(SYMBOLS), 5)
    ids, is_predicted = name_stream(new, 5)
    counted = float(carried_losses(counts, torch.from_numpy(ids))[is_predicted[1:]].mean())
    contexts, targets = examples_of_names(new, 5)
    logits = results().network(5, 10, 200).trace(contexts).logits
    lead = float(functional.cross_entropy(logits, targets)) - counted
    share = percent(1 - len(new) / len(split.validation))
    assert_says(PAGE, "Kneser-Ney", share, f"five letters is {lead:.2f}")


# Saturation -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def starts():
    return {trained.config.network.initialisation: trained for trained in results().starts}


def test_small_output_leaves_the_units_saturated(starts):
    at_first = {k: percent(t.snapshots[0].saturation.saturated) for k, t in starts.items()}
    assert at_first[NORMAL] == at_first[SMALL_OUTPUT]
    assert_says(PAGE, "Play with *small", at_first[NORMAL], at_first[SCALED])
    for start in (SMALL_OUTPUT, SCALED):
        assert starts[start].snapshots[0].loss == pytest.approx(log(27), abs=0.01)


def test_the_careless_start_reaches_chance_late(starts):
    by_step = {s.step: s.loss for s in starts[NORMAL].snapshots}
    below = min(step for step, loss in by_step.items() if loss < log(27))
    before = max(step for step in by_step if step < below)
    said = f"{before:,}", f"{by_step[before]:.3f}", f"{below:,}", f"{by_step[below]:.2f}"
    chance = f"{log(27):.3f}"
    assert_says(PAGE, "How many steps", *said, chance, f"{by_step[0]:.1f}")


def test_the_scaled_start_ends_best(starts):
    ends = (f"{starts[start].validation:.2f}" for start in (SCALED, SMALL_OUTPUT, NORMAL))
    at_first = (percent(starts[s].snapshots[0].saturation.saturated) for s in (SCALED, NORMAL))
    assert_says(PAGE, "In the table, which", *ends, *at_first)
    assert not any(s.saturation.dead for one in starts.values() for s in one.snapshots)


# Real or not ----------------------------------------------------------------------------------


def test_a_majority_of_independent_guesses():
    n, p = 25, 0.6
    majority = sum(comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n // 2 + 1, n + 1))
    assert_says(PAGE, "Let the class vote", f"{n} people", percent(p), percent(majority))


@cache
def rounds(context, temperature=1.0):
    """Return real and sampled names of the first rounds, as the page draws them."""
    listed, found = new_names(split_names(load_names())), []
    for number in range(1, 21):
        real = random.Random(number).sample(listed, 10)
        model = results().network(context, 10, 200)
        drawn = sample_names(model, 20, generator(number), temperature)
        found.append((real, [name for name in drawn if name not in real][:10]))
    return found


@needs_names
def test_names_of_one_letter_are_easily_told():
    judge = results().network(8, 10, 200)
    shares = []
    for context in (1, 3):
        right = []
        for real, sampled in rounds(context):
            bits = bits_of_names(judge, [*real, *sampled])
            improbable = np.argsort(bits)[10:]
            right.append(float((improbable >= 10).mean()))
        shares.append(percent(fmean(right)))
    assert_says(PAGE, "Set *Letters the network", *shares)
    lengths = {len(name) for _, sampled in rounds(1) for name in sampled}
    assert_says(PAGE, "Set *Letters the network", f"{min(lengths)} to {max(lengths)} letters")


@needs_names
def test_a_low_temperature_copies_more():
    low, plain = (
        fmean(sum(results().known.are_trained_on(sampled)) for _, sampled in rounds(3, t))
        for t in (0.5, 1.0)
    )
    assert_says(PAGE, "Lower the *Temperature*", f"{low:.1f} of ten", f"{plain:.1f}")


# Words ----------------------------------------------------------------------------------------

KINDS = {
    "andrew": "petya rostov pierre boris nicholas kutuzov natasha denisov",
    "seven": "six four three eight five ten fifteen nine",
    "said": "replied cried remarked asked exclaimed answered muttered added",
}


def nearest(word, n=8):
    space, i = words().space(), words().vocabulary.ids[word]
    near = space.nearest(space.unit([i])[0], n, exclude=[i, 0, 1])
    return [words().vocabulary.words[found.id] for found in near]


def test_neighbours_of_frequent_words_are_of_their_kind():
    for word, listed in KINDS.items():
        assert nearest(word) == listed.split()
    first, second = nearest("king", 2)
    count = words().vocabulary.counts[words().vocabulary.ids["king"]]
    assert_says(PAGE, "Type a name", f"{count} times", f"*{first}* and *{second}*")


def test_counts_are_more_certain_after_a_set_phrase():
    ids = words().vocabulary.ids
    for context, word in (("half an", "hour"), ("shrugged his", "shoulders")):
        models = words().counts, words().network
        counted, ours = (percent(float(words().after(context, m)[ids[word]])) for m in models)
        assert_says(PAGE, "Find words after", f"*{word}* {counted} and", ours)
    losses = words().losses
    unsure = losses.mixture, losses.network, losses.kneser_ney[-1]
    assert_says(PAGE, "Find words after", *(f"{exp(loss):.0f}" for loss in unsure))


def test_a_word_of_today_has_no_numbers_of_its_own():
    vocabulary = words().vocabulary
    sentence = encode_tokens(vocabulary, tokens_of("she looked at her phone")).tolist()
    named = [vocabulary.words[i] for i in sentence if vocabulary.words[i] not in (END, UNKNOWN)]
    assert named[-1] == "her"
    assert "computer" not in vocabulary.ids
    assert_says(PAGE, "End a sentence of today", f"{len(vocabulary.words) - 2:,}")


# Own names --------------------------------------------------------------------------------------


def made_up_after_rivers(context, temperature=1.0):
    own = read_names(RIVERS)
    found = learn_names(own, context, 1)
    made_up = sample_names(found.model, 12, generator(1), temperature, own.symbols)
    return found, made_up, str(sum(name in own.names for name in made_up))


def test_longer_contexts_copy_rivers_and_know_new_ones_less():
    short, names, none = made_up_after_rivers(1)
    long, _, copies = made_up_after_rivers(5)
    assert none == "0"
    said = (f"{short.held_out_bits:.2f} to {long.held_out_bits:.2f}", f"{copies} of the twelve")
    assert_says(PAGE, "Set *Letters it looks back at* to 1", *said, names[0], names[8], "95 names")


def test_at_a_low_temperature_rivers_are_copied():
    before, now = made_up_after_rivers(3)[2], made_up_after_rivers(3, 0.5)[2]
    assert_says(PAGE, "Make the *Temperature* 0.5", f"{now} of the twelve instead of {before}")


def test_how_many_numbers_a_letter_is():
    said = [str(len(SYMBOLS)), *map(str, sorted(EMBEDDING_SIZES))]
    assert_says(PAGE, "A letter as its number", *said)
    assert SYMBOLS.index("d") == 4 * SYMBOLS.index("a")


def test_places_have_weights_of_their_own():
    weights = results().network(8, 10, 200).hidden.weight.view(200, 8, 10)
    lengths = weights.norm(dim=(0, 2)).tolist()
    said = [f"{lengths[place]:.1f}" for place in (-1, -2, 0)]
    assert_says(PAGE, "A letter has the same embedding", *said)


def test_pairs_of_a_name():
    examples = examples_of_names(["yuheng"], 3)
    contexts = ["".join(SYMBOLS[i] for i in row) for row in examples.contexts.tolist()]
    targets = [SYMBOLS[i] for i in examples.targets.tolist()]
    said = [f"`{c}` to {t}" for c, t in zip(contexts[:-1], targets, strict=False)]
    assert_says(PAGE, "Which pairs of context", *said, f"`{contexts[-1]}`", "Seven")
    assert len(contexts) == 7


@needs_names
def test_how_much_of_what_is_read_is_padding():
    names = split_names(load_names()).train
    shares = [float((examples_of_names(names, n).contexts == 0).double().mean()) for n in (8, 3)]
    assert_says(PAGE, "What does a network that looks back", *map(percent, shares))
