"""What the answers for teachers say of vectors is what the page's own trainings give."""

from collections import Counter
from dataclasses import replace
from itertools import combinations, product
from math import log
from statistics import fmean

import pytest
import torch

from lm_core.analysis.word_space import WordSpace, unit_vectors
from lm_core.experiments.word2vec.full_softmax import (
    FullSoftmaxConfig,
    context_words,
    mean_of_context,
    shorten_rows,
)
from lm_core.experiments.word2vec.short_text import (
    GROUPS,
    SKIP_GRAM,
    RecordedTraining,
    group_of,
    short_text,
)
from lm_core.experiments.word2vec.synthetic import synthetic_short_text
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import UNKNOWN
from lm_core.text.corpora import locate
from lm_core.text.word_vocabulary import find_words_of_any_script
from pages.word2vec.text import BOOK, _given_text
from tests.pages.answering import assert_says, suggestion
from tests.pages.visits import press, visit

PAGE = "word2vec"
FIRST = 1  # the snapshot after a twelfth of the training
NOT_COMPUTED = {
    "Paste a fairy tale": "a tale of the Brothers Grimm that is no part of this project; pasted once, with three seeds"
}


@pytest.fixture(scope="module")
def trained():
    """Return trainings by what differs from the settings that the page opens on."""
    app = press(visit("pages/word2vec/page.py", reveal="company"), "vectors_train")
    opened = app.session_state["vector_training"][1]
    short, found = synthetic_short_text(), {}
    assert short.vocabulary == opened.text.vocabulary

    def train(**other):
        key = tuple(other.items())
        if key not in found:
            config = FullSoftmaxConfig(**(vars(opened.config) | other))
            found[key] = RecordedTraining(short, config)
            list(found[key])
        return found[key]

    found[()] = opened
    return train


def loss(training, snapshot=-1):
    step = training.snapshots[snapshot].step
    return f"{fmean(training.losses[step - 10 : step]):.2f}"


def cosines(training, snapshot=-1):
    """Return the cosines of words, by the two groups that they are of."""
    unit, ids = unit_vectors(training.snapshots[snapshot].input), training.text.vocabulary.ids
    of = {group: [unit[ids[word]] for word in words] for group, words in GROUPS.items()}
    within = {group: [float(a @ b) for a, b in combinations(of[group], 2)] for group in of}
    pairs = combinations(of, 2)
    between = {(g, h): [float(a @ b) for a, b in product(of[g], of[h])] for g, h in pairs}
    return within, between


def mean_within(training, snapshot):
    return {group: fmean(found) for group, found in cosines(training, snapshot)[0].items()}


def test_all_groups_come_together_in_the_first_twelfth(trained):
    start, first = (mean_within(trained(), snapshot).values() for snapshot in (0, FIRST))
    joined = f"{min(start):.2f} and {max(start):.2f}".replace("-", "−")
    assert_says(PAGE, "Play the snapshots", f"{min(first):.2f} or more", f"between {joined}")
    losses = f"{loss(trained(), FIRST)} nats", loss(trained())
    assert_says(PAGE, "Play the snapshots", *losses)


def test_no_group_is_always_first_or_last(trained):
    orders = []
    for seed in (1, 2, 3):
        found = mean_within(trained(seed=seed) if seed > 1 else trained(), FIRST)
        orders.append(sorted(found, key=found.__getitem__))
    assert (orders[0][-1], orders[0][0]) == ("rulers", "food")
    assert len({order[0] for order in orders}) > 1
    assert len({order[-1] for order in orders}) > 1


def test_groups_move_apart_and_outputs_grow(trained):
    first, last = (
        fmean(cosine for found in cosines(trained(), snapshot)[1].values() for cosine in found)
        for snapshot in (FIRST, -1)
    )
    assert last < first - 0.1
    lengths = [float(found.output.norm(dim=1).mean()) for found in trained().snapshots]
    assert lengths == sorted(lengths)


def test_one_neighbour_tells_the_groups(trained):
    for training in (trained(), trained(window=1)):
        unit, words = unit_vectors(training.snapshots[-1].input), training.text.vocabulary.ids
        shown = [word for group in GROUPS.values() for word in group]
        near = unit[[words[word] for word in shown]]
        for row, word in zip(near @ near.T, shown, strict=True):
            group = GROUPS[group_of(word)]
            best = [shown[i] for i in row.argsort(descending=True)[: len(group)].tolist()]
            assert set(best) == set(group)
    losses = f"{loss(trained(window=1))} nats a word instead of {loss(trained())}"
    assert_says(PAGE, "Set the window", f"the {len(shown)} words", losses)


def test_two_numbers_have_no_room_and_eight_are_slow(trained):
    small, middle = trained(width=2), trained(width=8)
    chance = f"ln {len(small.text.vocabulary)} = {log(len(small.text.vocabulary)):.2f}"
    said = f"To {loss(small)} nats", f"to {loss(middle)} and", f"32 to {loss(trained())}"
    assert_says(PAGE, "Set the *Vector size*", *said, chance)
    nearest = max(cosines(small)[1].items(), key=lambda found: max(found[1]))
    assert set(nearest[0]) == {"rulers", "animals"}
    closest = max(cosine for found in cosines(middle)[1].values() for cosine in found)
    assert_says(PAGE, "Set the *Vector size*", f"{max(nearest[1]):.2f}", f"{closest:.2f}")
    free = trained(width=2, max_norm=None), trained(width=8, max_norm=None)
    assert [float(loss(one)) for one in free] == pytest.approx([2.2, 0.3], abs=0.1)


def lengths(training):
    """Return the mean length of a context's mean, and of an output embedding."""
    last, config, ids = training.snapshots[-1], training.config, training.text.ids
    words, inside = context_words(ids, torch.arange(len(ids)), config.window)
    rows = last.input.clone()
    if config.max_norm:
        shorten_rows(rows, words[inside].unique(), config.max_norm)
    means = mean_of_context(rows, words, inside)
    return float(means.norm(dim=1).mean()), float(last.output.norm(dim=1).mean())


def test_a_limited_length_slows_the_training(trained):
    asked, limited, free = "Switch *Limit", trained(), trained(max_norm=None)
    early, late = ((loss(free, at), loss(limited, at)) for at in (FIRST, -1))
    assert_says(PAGE, asked, f"{early[0]} nats", early[1], " instead of ".join(late))
    (mean, outputs), (long_mean, short_outputs) = lengths(limited), lengths(free)
    grown = f"{mean:.2f}, so", f"about {outputs:.0f}"
    assert_says(PAGE, asked, *grown, f"{long_mean:.2f} long", f"{short_outputs:.1f}")
    assert_says(PAGE, asked, f"15 epochs the loss is {loss(trained(epochs=15))}")


def test_what_can_be_known_of_the_synthetic_text(trained):
    text = trained().text
    counts = Counter(group_of(text.vocabulary.words[i]) for i in text.ids.tolist())
    del counts["other"]
    floor = sum(n * log(len(GROUPS[group])) for group, n in counts.items()) / len(text.ids)
    share = f"{100 * counts.total() / len(text.ids):.0f} %"
    assert_says(PAGE, "Switch *Limit", f"about {floor:.2f}", share)
    assert float(loss(trained(max_norm=None))) < floor


def test_skip_gram_finds_the_groups_at_a_loss_of_its_own(trained):
    asked, found = "Choose *skip-gram*", {}
    for negatives in (5, 1):
        config = replace(SKIP_GRAM, negatives=negatives)
        found[negatives] = RecordedTraining(trained().text, config)
        list(found[negatives])
        chance = 1 + negatives, (1 + negatives) * log(2)
        assert found[negatives].losses[0] == pytest.approx(chance[1], abs=1e-5)
    least = min(mean_within(found[5], -1).values())
    n_words = len(trained().text.vocabulary)
    assert_says(PAGE, asked, f"at least {int(100 * least) / 100:.2f}", f"one of {n_words} words")
    assert_says(PAGE, asked, f"ln {n_words} = {log(n_words):.2f}", f"6 ln 2 = {6 * log(2):.2f}")
    assert_says(PAGE, asked, f"{loss(found[5])} nats a pair")
    assert_says(PAGE, asked, f"{loss(found[1])} of {2 * log(2):.2f}")


def test_a_context_has_one_mean_in_any_order():
    suggestion(PAGE, "CBOW reads the *mean*")
    embeddings = torch.randn(5, 8, dtype=torch.float64)
    orders = torch.tensor([[0, 1, 2], [2, 1, 0]])
    means = embeddings[orders].mean(1)
    assert torch.allclose(means[0], means[1], atol=1e-12)


def test_the_context_of_a_word_counts_words_alone():
    text = "A team of 24 players was selected from an initial pool of 49 candidates"
    words = [found.word for found in find_words_of_any_script(text)]
    at = words.index("selected")
    near = [*words[at - 4 : at], *words[at + 1 : at + 5]]
    said = [f"*{word.capitalize() if not i else word}*" for i, word in enumerate(near)]
    assert_says(PAGE, "Begin a text of your own", *said)


@pytest.mark.skipif(not locate(WAR_AND_PEACE.name), reason="War and Peace is not on this machine")
def test_rare_words_of_the_book_are_its_most_frequent_word(trained):
    asked = "Choose *War and Peace, its beginning*"
    text, config, found, guessed = _given_text(BOOK), trained().config, {}, {}
    for maps_rare in (False, True):
        short = short_text(text, 5, maps_rare)
        found[maps_rare] = RecordedTraining(short, config)
        list(found[maps_rare])
        shares = torch.tensor(short.vocabulary.counts, dtype=torch.float64) / len(short.ids)
        guessed[maps_rare] = f"{-float(shares @ shares.log()):.2f}"
    left_out, mapped = (found[maps_rare].text for maps_rare in (False, True))
    (unknown, the), (times, often) = mapped.vocabulary.words[:2], mapped.vocabulary.counts[:2]
    assert (unknown, the) == (UNKNOWN, "the")
    assert_says(PAGE, asked, f"{times:,} of the {len(mapped.ids):,} words", f"*the* with {often:,}")
    assert_says(PAGE, asked, f"leave {len(left_out.ids):,} words")
    space = WordSpace.of(mapped.vocabulary, found[True].snapshots[-1].input)
    nearest = space.nearest(space.vectors[0], 3, exclude=[0])
    names = [mapped.vocabulary.words[each.id] for each in nearest]
    assert_says(PAGE, asked, "*{}*, *{}* and *{}*".format(*names))
    pair = [space.vectors[mapped.vocabulary.ids[word]] for word in ("said", "replied")]
    assert_says(
        PAGE, asked, f"{nearest[0].cosine:.2f} at most", f"reach {float(pair[0] @ pair[1]):.2f}"
    )
    assert_says(PAGE, asked, f"{loss(found[True])} nats a word instead of {loss(found[False])}")
    assert_says(PAGE, asked, f"{guessed[True]} instead of {guessed[False]}")
