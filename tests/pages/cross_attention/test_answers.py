"""What the answers for teachers say of translations, held to the two models, on the page's examples."""

import numpy as np
import pytest

from lm_core.generation.translation import all_heads, translate
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.subject import Alignment, Head, Subject
from pages.cross_attention.without import _costs
from pages.shared.models.translation import (
    ATTENTION,
    EXAMPLES,
    TRANSFORMER,
    traced,
    translated,
    translator,
)
from tests.pages.answering import assert_says

PAGE = "cross-attention"
BOTH = (ATTENTION, TRANSFORMER)
SENTENCES = tuple(example.english for example in EXAMPLES)
EACH = [(model, sentence) for model in BOTH for sentence in SENTENCES]
HOUSE, BEACH, LONGEST = SENTENCES[0], SENTENCES[4], SENTENCES[5]


def test_a_colour_changes_its_place():
    assert {translated(model, "a small black dog").text for model in BOTH} == {
        "Un petit chien noir"
    }


def test_heads_of_the_later_layers_align():
    layers, heads = translator(TRANSFORMER).cross_attention_shape
    agree, n = np.zeros((layers, heads)), 0
    for sentence in SENTENCES:
        whole = translated(TRANSFORMER, sentence)
        gru = Alignment(traced(ATTENTION, sentence, whole.target_ids), Head(0, 0))
        rows = range(len(gru.target) - 1)
        n += len(rows)
        for layer, head in all_heads(translator(TRANSFORMER)):
            own = Alignment(whole, Head(layer, head))
            agree[layer, head] += sum(own.looked_at(row) == gru.looked_at(row) for row in rows)
    shares = 100 * agree / n
    said = [f"{part.min():.0f} to {part.max():.0f} %" for part in (shares[1:], shares[:1])]
    assert_says(PAGE, "Switch to the transformer", *said)


def test_the_first_word_and_the_end_have_the_most_bits():
    ranked = []
    for model, sentence in EACH:
        alignment = Alignment(
            translated(model, sentence), Head(0 if model == ATTENTION else 1, None)
        )
        best = sorted(range(len(alignment.bits)), key=lambda t: -alignment.bits[t])[:2]
        ranked += [(alignment.bits[t], t in (0, len(alignment.bits) - 1)) for t in best]
    assert np.mean([is_at_an_end for _, is_at_an_end in ranked]) > 0.6
    least, most = min(bits for bits, _ in ranked), max(bits for bits, _ in ranked)
    assert_says(PAGE, "Which word of", f"{least:.0f} to {most:.0f} bits")


def begun(model, sentence, text):
    return translated(model, sentence, prefix=shipped_vocabulary().encode(text)).text


def test_the_other_article_changes_little():
    before, after = [], []
    for model, sentence in EACH:
        first, rest = translated(model, sentence).text.split(" ", 1)
        if other := {"Un": "Une", "Une": "Un"}.get(first):
            before.append(rest)
            after.append(begun(model, sentence, other).removeprefix(f"{other} "))
    same = sum(a == b for a, b in zip(before, after, strict=True))
    assert (len(before), same) == (10, 8)
    assert_says(PAGE, "Take “Une”", "ten translations", "eight go on as before", "two change")
    assert after[0].startswith("homme dans une voiture rouge")
    assert "en T-shirt bleu" in after[4]
    assert "en chemise bleue" in before[4]


@pytest.mark.parametrize("model", BOTH)
def test_words_about_something_else_lead_back_at_once(model):
    hat = begun(model, HOUSE, "Une femme avec un chapeau")
    snow = begun(model, HOUSE, "Les enfants jouent dans la neige")
    assert hat.endswith("rouge regarde une maison blanche.")
    assert snow.endswith("une maison blanche.")


def test_the_least_certain_steps_have_several_good_continuations():
    def best(model, sentence):
        step = min(translated(model, sentence).steps, key=lambda step: step.probability)
        return {candidate.symbol.strip() for candidate in step.candidates[:3]}

    assert all(best(model, HOUSE) == {"dans", "en", "avec"} for model in BOTH)
    assert all(best(model, SENTENCES[1]) >= {"une", "un"} for model in BOTH)


def searched(model, sentence, width, penalty=1.0):
    return translate(
        translator(model), shipped_vocabulary(), sentence, width=width, length_penalty=penalty
    )


@pytest.fixture(scope="module")
def five():
    return {each: searched(*each, 5) for each in EACH}


def test_what_five_beams_change(five):
    changed = [each for each in EACH if five[each].text != translated(*each).text]
    worse = [e for e in changed if five[e].log_probability < translated(*e).log_probability]
    assert (len(EACH), len(changed), len(worse)) == (12, 3, 1)
    assert_says(
        PAGE, "Find a sentence", "twelve translations", "three change", "one of them", BEACH[:-1]
    )
    words = (("fait de la plage", "passe à la plage"), ("dribble", "conduit"))
    for model, (greedy, best) in zip(BOTH, words, strict=True):
        assert greedy in translated(model, BEACH).text
        assert best in five[model, BEACH].text
        assert_says(PAGE, "Find a sentence", greedy, best)


def test_without_the_penalty_nearly_all_stay(five):
    same = sum(searched(*each, 5, 0.0).text == five[each].text for each in EACH)
    assert_says(PAGE, "Set the length", f"{same} of the {len(EACH)} translations")


def test_ten_beams_gain_nothing(five):
    assert all(searched(*each, 10).text == five[each].text for each in EACH)
    assert_says(PAGE, "How much is gained", f"all {len(EACH)} translations")


def without(model, sentence):
    return translated(model, sentence, ablated=all_heads(translator(model))).text


def test_without_attention_the_transformer_writes_the_same_whatever_is_typed():
    beginnings = {without(TRANSFORMER, sentence)[:90] for sentence in SENTENCES}
    assert len(beginnings) == 1
    assert beginnings.pop().startswith("Un homme avec un costume de bain")
    of_gru = {without(ATTENTION, s)[:9] for s in (*SENTENCES, "Three people are talking.")}
    assert of_gru == {"Un homme ", "Deux homm", "Une femme", "Trois per"}
    assert all("en train de" in without(*each) for each in EACH)


def test_one_head_carries_the_longest_example():
    costs = _costs(Subject(TRANSFORMER, LONGEST))
    layer, head = np.unravel_index(int(costs.argmax()), costs.shape)
    assert_says(PAGE, "In the transformer", f"{layer + 1}.{head + 1}", f"{costs.max():.0f} nats")
    lost = translated(TRANSFORMER, LONGEST, ablated=[(int(layer), int(head))]).text
    assert "un chapeau et un chapeau rouge" in lost
    every = np.stack([_costs(Subject(TRANSFORMER, s)) for s in SENTENCES[:-1]])
    assert np.median(every) < 0.4
    assert (every < 0).any()
    assert 1 <= (every[:, 2] > 0.9).sum(1).mean() <= 2


@pytest.mark.parametrize("model", BOTH)
def test_a_changed_word_is_translated(model):
    green = translated(model, HOUSE.replace("white", "green")).text
    white = translated(model, SENTENCES[3].replace("brown", "white")).text
    assert green.endswith("une maison verte.")
    assert white.startswith("Un chien blanc")


def test_an_order_that_nobody_would_write():
    shuffled = "White a house car looking red man at is a"
    said = translated(TRANSFORMER, shuffled).text
    assert_says(PAGE, "Write a sentence whose", shuffled, said)
    assert said == "Une voiture blanche regardant un homme rouge"


def test_a_line_of_a_newspaper():
    line = "The government raised taxes on Monday."
    said = translated(TRANSFORMER, line).text
    assert_says(PAGE, "Take a line", line[:-1], said[:-1])
