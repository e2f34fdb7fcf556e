"""What the answers for teachers say of fine-tuning, held to what was measured and to the tuned models."""

from functools import cache

import pytest

from lm_core.experiments.fine_tuning import asking
from lm_core.experiments.fine_tuning.learning_curves import (
    accuracy_curve,
    auxiliary_curve,
    masked_loss_curve,
    value_at,
)
from lm_core.experiments.fine_tuning.settings import (
    AUTHOR,
    FROZEN,
    LORA,
    PAIR,
    SCRATCH,
    SPEAKER,
    TAG,
    TUNED,
)
from pages.fine_tuning.examples import PAIRS, SENTENCES, SPOKEN, TAGGED
from pages.fine_tuning.recipe import _QUANTITIES
from pages.fine_tuning.subject import adapters_of, encoder, results, tuned_model, vocabulary
from pages.shared.numbers import NARROW_SPACE, percent
from tests.pages.answering import assert_says

PAGE = "fine-tuning"
_BY_HAND = (
    "tunings of the page's sixty sentences, the first twenty labelled, with seeds 0 to 2, made once by hand:"
    " ten seconds each"
)
NOT_COMPUTED = {
    "Rename the labels": f"{_BY_HAND}; 28 sentences were labelled outdoors, 19 war",
    "Label by a rule": f"{_BY_HAND}; long are those of the median's length or more",
    "Choose *frozen*": f"{_BY_HAND}; calm and agitated take turns in the sentences",
}


def says(beginning, *said):
    assert_says(PAGE, beginning, *(text.replace(NARROW_SPACE, " ") for text in said))


def accuracy(task, method, n_labelled):
    return value_at(accuracy_curve(results(), task, method), n_labelled)


# Your labels ----------------------------------------------------------------------------------


def test_a_rule_on_the_third_letter_is_almost_one_on_the_first_word():
    third = [[c for c in text if c.isalpha()][2] == "e" for text in SENTENCES]
    first = [text.startswith(("The ", "She ")) for text in SENTENCES]
    assert sum(a == b for a, b in zip(third, first, strict=True)) >= 0.9 * len(SENTENCES)


def test_with_many_labels_frozen_loses():
    ends = (percent(accuracy(TAG, method, 10_000)) for method in (FROZEN, TUNED))
    says("Choose *frozen*", " where fine-tuning has ".join(ends))


# Learning curves ------------------------------------------------------------------------------


def test_reading_a_book_helps_with_tags_and_not_with_authors():
    beginning = "Compare *part of speech* with"
    says(beginning, *(percent(accuracy(TAG, method, 100)) for method in (TUNED, SCRATCH)))
    says(beginning, f"the frozen vectors alone have {percent(accuracy(TAG, FROZEN, 100))}")
    (both,) = {percent(accuracy(AUTHOR, method, 100)) for method in (TUNED, SCRATCH)}
    says(beginning, f"both have {both}")
    tuned, scratch = (accuracy_curve(results(), AUTHOR, method) for method in (TUNED, SCRATCH))
    ahead = [100 * (a.mean - b.mean) for a, b in zip(tuned, scratch, strict=True)]
    assert max(ahead) < 2
    says(beginning, "more than two points")


def test_what_ten_labels_give():
    beginning = "How much do ten labels"
    says(beginning, f"{percent(accuracy(TAG, TUNED, 10))} fine-tuned")
    says(beginning, f"{percent(accuracy(TAG, FROZEN, 10))} frozen")
    says(beginning, " and ".join(percent(accuracy(AUTHOR, m, 10)) for m in (TUNED, FROZEN)))
    (chance,) = results().tasks[AUTHOR].baselines.values()
    apart = max(
        point.high - point.low
        for method in (TUNED, FROZEN)
        for point in accuracy_curve(results(), AUTHOR, method)
        if point.at == 10
    )
    says(beginning, percent(chance), f"up to {100 * apart:.0f} points")


def test_what_is_forgotten():
    beginning = "Show the *loss on the book*"
    before = float(results().provenance["pretrained_masked_loss"])
    tuned, lora, frozen = (
        masked_loss_curve(results(), TAG, method) for method in (TUNED, LORA, FROZEN)
    )
    assert {point.mean for point in frozen} == {before}
    says(beginning, f"{before:.1f} to {tuned[-1].mean:.1f} nats", f"LoRA to {lora[-1].mean:.1f}")


# Four heads -----------------------------------------------------------------------------------


@cache
def tagged(n_labelled):
    """Return each word of the page's sentences with the probabilities of its tags."""
    found = []
    for text in TAGGED:
        asked = asking.read_words(text, vocabulary())
        words = asking.WordsToTag(tuple(asked.words), list(asked.subwords), list(asked.places))
        probabilities = asking.tag_probabilities(tuned_model(TAG, n_labelled), words)
        found += zip(asked.words, probabilities, strict=True)
    return found


def of_tag(probabilities, tag):
    return probabilities[results().tasks[TAG].labels.index(tag)]


def test_more_labels_change_the_undecided_answers():
    beginning = "Learn from 100 labels"
    few, many = map(tagged, adapters_of(TAG))
    pairs = [(word, p, q) for (word, p), (_, q) in zip(few, many, strict=True)]
    changed = [(word, p, q) for word, p, q in pairs if p.argmax() != q.argmax()]
    says(beginning, f"{len(changed)} of {len(pairs)} words and marks")
    assert [word for word, _, _ in changed] == ["dark", "young"]
    says(beginning, " and ".join(percent(of_tag(p, "NOUN")) for _, p, _ in changed))
    more_certain = [q.max() > p.max() for _, p, q in pairs]
    assert sum(more_certain) > len(pairs) / 2
    assert all(q.argmax() == results().tasks[TAG].labels.index("ADJ") for _, _, q in changed)
    ((before, after),) = ((p, q) for word, p, q in pairs if word == "him")
    says(beginning, " to ".join(percent(of_tag(p, "PRON")) for p in (before, after)))


def test_the_usual_reading_wins():
    *_, words = map(tagged, adapters_of(TAG))
    start = [word for word, _ in words].index("man")
    (_, old), (_, man) = words[start - 1 : start + 1]
    beginning = "Tag a sentence"
    says(beginning, f"an adjective ({percent(of_tag(old, 'ADJ'))})")
    says(beginning, f"a noun ({percent(of_tag(man, 'NOUN'))})")


def of_seed(task, method, seed):
    n_labelled = max(adapters_of(task))
    (found,) = (
        point.accuracy
        for point in results().points
        if (point.task, point.method, point.n_labelled, point.seed)
        == (task, method, n_labelled, seed)
    )
    return found


def speakers_of(passage):
    model = tuned_model(SPEAKER, max(adapters_of(SPEAKER)))
    for quotation in asking.quotations_of(passage, vocabulary()):
        asked = asking.read_question(passage, quotation, vocabulary(), encoder().config)
        found = asking.find_speaker(
            model, asking.AskedSpeaker(list(asked.quotation), list(asked.passage))
        )
        yield "".join(vocabulary().spell(asked.passage)[found.start : found.stop]).strip()


def test_one_name_answers_every_question_about_a_passage():
    third = f'{SPOKEN[0]} "Then I will dance alone," said Sonya.'
    for passage in (*SPOKEN, third):
        assert len({*speakers_of(passage)}) == 1
    says("Let a third person", percent(of_seed(SPEAKER, LORA, 0)))
    says("Let a third person", percent(results().tasks[SPEAKER].baselines["the last speaker"]))


def test_the_order_of_two_sentences_hardly_counts():
    moved = []
    for n_labelled in adapters_of(PAIR):
        for pair in PAIRS:
            read = [
                tuple(map(tuple, asking.read_pair(*order, vocabulary())))
                for order in (pair, pair[::-1])
            ]
            one, other = asking.class_probabilities(tuned_model(PAIR, n_labelled), read)
            moved.append(abs(one[0] - other[0]))
    beginning = "Swap the two sentences"
    says(beginning, f"{100 * max(moved):.0f} points at most")
    says(beginning, f"is right in {percent(of_seed(PAIR, LORA, 0))}")
    says(beginning, f"another seed in {percent(of_seed(PAIR, LORA, 1))}")
    says(beginning, f"it has {percent(accuracy(PAIR, TUNED, max(adapters_of(PAIR))))}")


# GPT's recipe ---------------------------------------------------------------------------------


def recipe(quantity, weight, n_labelled=300):
    curve = auxiliary_curve(results(), n_labelled, _QUANTITIES[quantity].of)
    return value_at(curve, weight)


def test_the_second_loss_holds_the_language():
    before = float(results().provenance["pretrained_book_loss"])
    beginning = "Set λ to 0"
    says(beginning, f"{before:.2f} to {recipe('book_loss', 0.0):.2f} nats")
    says(beginning, f"to {recipe('book_loss', 1.0):.2f}")
    curve = auxiliary_curve(results(), 300, _QUANTITIES["book_loss"].of)
    assert max(curve, key=lambda point: point.mean).at == 0


def test_more_of_the_second_loss_hardly_adds_anything():
    beginning = "Raise λ to 3"
    for quantity in ("book_loss", "test_loss"):
        says(beginning, " to ".join(f"{recipe(quantity, weight):.2f}" for weight in (1.0, 3.0)))
    (share,) = {percent(recipe("accuracy", weight)) for weight in (1.0, 3.0)}
    says(beginning, share)


def test_where_the_second_loss_helps_more():
    beginning = "Compare 30 labelled"
    many, few = (recipe("book_loss", 0.0, n) - recipe("book_loss", 1.0, n) for n in (300, 30))
    says(beginning, f"by {many:.2f} nats at λ = 1, with 30 by {few:.2f}")
    without, *others = (point.mean for point in auxiliary_curve(results(), 300, accuracy_of))
    said = f"{percent(min(others))} to {percent(max(others))} against {percent(without)}"
    says(beginning, said)
    near = [point.mean for point in auxiliary_curve(results(), 30, accuracy_of)]
    assert near == pytest.approx([0.25] * len(near), abs=0.03)


accuracy_of = _QUANTITIES["accuracy"].of
