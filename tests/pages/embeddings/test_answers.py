"""What the page's answers for teachers say, held to its vectors."""

import pytest
import torch

from lm_core.analysis.neighbourhood_preservation import neighbourhood_preservation
from lm_core.analysis.principal_components import principal_components
from lm_core.analysis.word_associations import association_test, associations
from lm_core.analysis.word_space import axis_between, odd_one_out
from lm_core.rng import generator
from pages.embeddings import analogies, over_time, vectors
from pages.embeddings import associations as bias
from pages.embeddings.shown_words import THEMES
from pages.embeddings.word_choice import Choice
from tests.pages.answering import assert_says

HERE = "embeddings"
LIBRARY, BOOK = "library-skip-gram", "book-cbow"


@pytest.fixture(scope="module")
def models():
    return vectors.models()


@pytest.fixture(scope="module")
def spaces(models):
    return {name: vectors.space_of(models[name], vectors.INPUT) for name in (LIBRARY, BOOK)}


def ids(space, words):
    return [space.vocabulary.ids[word] for word in words.split()]


def near(space, word, among=10_000):
    """Return the ten nearest words, with how often the text has them."""
    (own,) = ids(space, word)
    found = space.nearest(space.unit([own])[0], 10, exclude=[own], among=among)
    return {space.vocabulary.words[n.id]: space.vocabulary.counts[n.id] for n in found}


def test_seven_has_numbers_near_it_and_france_more_than_countries(spaces):
    numbers = "two three four five six eight nine ten eleven twelve twenty thirty fifty sixteen"
    assert set(near(spaces[LIBRARY], "seven")) <= set(numbers.split())
    others = [word for word in near(spaces[LIBRARY], "france") if word in ("naples", "bourbons")]
    assert len(others) == 2
    assert_says(HERE, "Look up *france*", *(f"*{word}*" for word in others))


def test_rare_words_are_near_tea(spaces):
    counts = near(spaces[LIBRARY], "tea", among=len(spaces[LIBRARY].vocabulary))
    said = [word for word in ("muffin", "sandwiches", "samovar") if word in counts]
    assert_says(HERE, "Search among all words", *(f"*{word}*" for word in said))
    assert_says(HERE, "Search among all words", *(str(counts[word]) for word in said))
    assert len(said) == 3
    space = spaces[LIBRARY]
    tea, *others = (space.vocabulary.ids[word] for word in ("tea", "coffee", *said))
    cosines = [space.pair(tea, other).cosine for other in others]
    assert min(cosines) == cosines[0]
    assert_says(
        HERE,
        "Search among all words",
        f"{min(cosines):.2f} to {max(cosines):.2f}",
        f"its {counts['coffee']}",
    )


def compared(space, title):
    """Return the test of an example, with the words of it that have a vector."""
    lists = [[w for w in words.split() if w in space.vocabulary] for words in bias.EXAMPLES[title]]
    unit = [space.unit([space.vocabulary.ids[word] for word in words]) for words in lists]
    values = [associations(words, *unit[2:]) for words in unit[:2]]
    return lists, values, association_test(*values, generator(1))


def test_instruments_are_nearer_to_what_is_pleasant_than_weapons(spaces):
    _, _, found = compared(spaces[LIBRARY], "Instruments and weapons: pleasant or not")
    n = int((found.splits >= found.difference - 1e-6).sum())
    said = f"{found.effect_size:.2f}", f"only {n} of the {len(found.splits):,} splits"
    assert n == 1
    assert_says(HERE, "Choose *Instruments", *said)


def test_french_and_russian_words_differ_by_no_more_than_chance(spaces):
    lists, values, found = compared(spaces[LIBRARY], "French and Russian: pleasant or not")
    tsar = float(values[1][lists[1].index("tsar")])
    without = (values[1].sum() - tsar) / 4
    assert found.difference < 0
    assert without < values[0].mean(), "without it the French words would be nearer"
    said = f"{100 * found.share:.0f} %", f"{len(found.splits)} splits", f"at {tsar:.2f}"
    assert_says(HERE, "Choose *French", *said)


def test_the_book_alone_is_too_little_to_rule_chance_out(spaces):
    title = "Men and women: career or home"
    (book, _, ours), (whole, _, library) = (compared(spaces[n], title) for n in (BOOK, LIBRARY))
    lost = [w for here, all_ in zip(book, whole, strict=True) for w in all_ if w not in here]
    said = [f"{x.effect_size:.2f}" for x in (ours, library)]
    assert_says(HERE, "Choose the vectors of the book alone (*Vectors*", *said)
    assert_says(
        HERE, "Choose the vectors of the book alone (*Vectors*", f"{100 * ours.share:.1f} %"
    )
    assert lost == ["office", "profession", "career", "wedding", "kitchen"]


def test_two_threes_give_a_colour_that_depends_on_the_vectors(spaces):
    words = "two three four red blue green"
    odd = {}
    for name, space in spaces.items():
        unit = space.unit(ids(space, words))
        odd[name] = words.split()[odd_one_out(unit, range(len(unit)))[0]]
    assert odd == {LIBRARY: "blue", BOOK: "red"}
    assert_says(HERE, "Type *two three", f"*{odd[LIBRARY]}* with the library's", f"*{odd[BOOK]}*")


def test_the_tool_is_found_and_the_book_lacks_three_of_the_words(spaces):
    words = "bread meat wine tea milk hammer"
    space = spaces[LIBRARY]
    unit = space.unit(ids(space, words))
    assert odd_one_out(unit, range(len(unit)))[0] == 5
    lacking = [f"*{w}*" for w in words.split() if w not in spaces[BOOK].vocabulary.ids]
    assert len(lacking) == 3
    assert_says(HERE, "Type your class's", *lacking)


def test_how_many_analogies_work(spaces):
    solved, asked, own = {}, {}, {}
    for name, space in spaces.items():
        known = [row for row in analogies._KNOWN if all(w in space.vocabulary.ids for w in row)]
        asked[name], solved[name], own[name] = len(known), 0, 0
        for first, second, third, expected in known:
            a, b, c, right = ids(space, f"{first} {second} {third} {expected}")
            found = space.analogy(a, b, c, 1, among=10_000)[0]
            unit = space.unit([a, b, c])
            nearest = space.nearest(unit[0] - unit[1] + unit[2], 1, among=10_000)[0]
            solved[name] += found.id == right
            own[name] += nearest.id in (a, b, c)
    book, library = f"{solved[BOOK]} of the {asked[BOOK]}", f"{solved[LIBRARY]} of {asked[LIBRARY]}"
    assert_says(HERE, "Choose the vectors trained", book, library)
    assert_says(HERE, "How often would", f"{own[LIBRARY]} of the {asked[LIBRARY]}")


def test_when_the_neighbours_of_the_end_appear(models, spaces):
    there = {}
    for name, space in spaces.items():
        snapshots = vectors.snapshots_of(models[name], vectors.INPUT)
        (king,) = ids(space, "king")
        choice = Choice(models[name], space.vocabulary, king, None, 10_000, False)
        last = set(over_time._nearest(choice, snapshots[-1], 5))
        there[name] = {
            shot.share: len(last & set(over_time._nearest(choice, shot, 5))) for shot in snapshots
        }
    assert [there[LIBRARY][share] for share in (0.1, 0.3, 0.6, 1.0)] == [3, 5, 4, 5]
    assert max(n for share, n in there[BOOK].items() if share < 1) == 1
    early = vectors.snapshots_of(models[LIBRARY], vectors.INPUT)[1].space
    (king,) = ids(spaces[LIBRARY], "king")
    nearest = early.nearest(early.vectors[king], 1, exclude=[king])[0]
    assert_says(HERE, "Press play", f"{nearest.cosine:.2f} after 1 %")
    last_but_one = sorted(there[BOOK])[-2]
    assert_says(HERE, "Compare skip-gram", f"{last_but_one:.0%}".replace("%", " %"))


def test_random_vectors_have_a_nearest_one(models, spaces):
    largest = []
    for name, space in spaces.items():
        (king,) = ids(space, "king")
        first = vectors.snapshots_of(models[name], vectors.INPUT)[0].space
        largest.append(first.nearest(first.vectors[king], 1, exclude=[king])[0].cosine)
    assert_says(HERE, "At 0 %", *(f"{cosine:.1f}" for cosine in sorted(largest)))


def test_the_words_of_the_themes_allow_no_perplexity_of_fifty():
    assert len({word for words in THEMES.values() for word in words}) < 3 * 50


def test_a_king_is_great_and_a_brother_small(spaces):
    space = spaces[LIBRARY]
    axis = axis_between(*(space.unit(ids(space, ends)) for ends in ("small little", "great large")))
    words = [
        word for theme in THEMES.values() for word in theme.split() if word in space.vocabulary
    ]
    places = {word: float(space.unit(ids(space, word))[0] @ axis) for word in words}
    said = f"{places['king']:.2f}", f"−{-places['brother']:.2f}"
    ends = f"*{max(places, key=places.get)}* and *{min(places, key=places.get)}*"
    assert_says(HERE, "Choose *Axes*", *said, ends)


def test_a_third_direction_keeps_half_a_neighbour_more(spaces):
    space = spaces[LIBRARY]
    words = dict.fromkeys(word for theme in THEMES.values() for word in theme.split())
    unit = space.unit([space.vocabulary.ids[w] for w in words if w in space.vocabulary.ids])
    flat, solid = (
        10 * float(neighbourhood_preservation(unit, points, 10).preserved.float().mean())
        for points in (principal_components(unit, k).points.to(unit.dtype) for k in (2, 3))
    )
    assert_says(HERE, "Turn the 3-D map", f"{solid:.1f} of 10 instead of {flat:.1f}")


def test_without_the_mean_more_neighbours_change_where_vectors_share_more(models):
    stay = {}
    for name in (LIBRARY, BOOK):
        for table in (vectors.INPUT, vectors.OUTPUT):
            space = vectors.space_of(models[name], table)
            words = list(range(100, min(5_000, len(space.vocabulary)), 25))
            plain, centred = (
                torch.nn.functional.normalize(each[:10_000].float(), dim=1)
                for each in (space.vectors, space.vectors - space.vectors.mean(0))
            )
            first, second = (
                (unit[words] @ unit.T).topk(11).indices.tolist() for unit in (plain, centred)
            )
            kept = [len({*a} & {*b}) - 1 for a, b in zip(first, second, strict=True)]
            stay[name, table] = sum(kept) / len(kept)
    said = [f"{stay[LIBRARY, table]:.1f} stay" for table in (vectors.INPUT, vectors.OUTPUT)]
    assert_says(HERE, "Subtract the mean", *said)
    assert [round(stay[BOOK, table]) for table in (vectors.INPUT, vectors.OUTPUT)] == [8, 8]


def test_with_b_and_c_swapped_the_sum_lies_farther_from_queen(spaces):
    space = spaces[LIBRARY]
    king, man, woman, queen = space.unit(ids(space, "king man woman queen"))
    sums = king - woman + man, king - man + woman
    said = [f"{float(place @ queen / place.norm()):.2f}" for place in sums]
    assert_says(HERE, "Swap b and c", f"only {said[0]} with", f"woman has {said[1]}")


NOT_COMPUTED = {
    "Run t-SNE": "3 and 20 are settings",
    "Compare *tea* with": "counted in the book, which is not shipped",
    "Narrow the window": "counted in the book, which is not shipped",
    "Subtract the mean": "a setting",
    "Swap b and c": "a formula",
    "Look for *the* and": "0 is the information of what is as frequent as by chance",
}
