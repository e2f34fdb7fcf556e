"""What the answers for teachers say of translations, held to the two models that the page has."""

from functools import cache
from statistics import fmean

import numpy as np
import pytest

from lm_core.text.sentence_pairs import NAME, TRAIN, missing_files
from lm_core.text.translation_vocabulary import END, SPECIAL_TOKENS, START, shipped_vocabulary
from pages.cross_attention import beams, head_costs, memory, without
from pages.cross_attention.batch import _read
from pages.cross_attention.subject import Alignment, Head, Subject
from pages.shared.models.translation import (
    ATTENTION,
    EXAMPLES,
    TRANSFORMER,
    provenance_of,
    traced,
    translated,
)
from tests.pages.answering import assert_says, suggestion

PAGE = "cross-attention"
SENTENCES = [example.english for example in EXAMPLES]
BOTH = [(model, sentence) for sentence in SENTENCES for model in (ATTENTION, TRANSFORMER)]
HEADS = [Head(layer, head) for layer in range(3) for head in range(4)]
BEACH = SENTENCES[4]
needs_training = pytest.mark.skipif(
    any(f"{NAME}/{TRAIN}.{language}" in missing_files() for language in ("en", "fr")),
    reason="the training sentences are not on this machine",
)


def percent(share):
    return f"{100 * share:.0f} %"


# Alignment ------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [ATTENTION, TRANSFORMER])
def test_of_two_adjectives_the_colour_changes_its_place(model):
    found = Alignment(Subject(model, "a small black dog").translation, Head())
    assert found.translation.text == "Un petit chien noir"
    (swap,) = Alignment(found.translation, Head(found.translation.attention.shape[0] - 1)).swaps
    assert found.target_words[swap.target] == "chien"
    assert found.source_words[swap.source] == "black"


def looked_at(alignment):
    return [alignment.looked_at(row) for row in range(len(alignment.target))]


@cache
def rows_by_head():
    """Return at which word the GRU looks, and each head of the transformer for the same words."""
    gru, heads = [], {head: [] for head in HEADS}
    for sentence in SENTENCES:
        own = translated(ATTENTION, sentence)
        gru.append(looked_at(Alignment(own, Head())))
        again = traced(TRANSFORMER, sentence, own.target_ids)
        for head, rows in heads.items():
            rows.append(looked_at(Alignment(again, head)))
    return gru, heads


def agreement(rows, others, delay=0):
    pairs = [
        a[delay:][i] == b[i]
        for a, b in zip(rows, others, strict=True)
        for i in range(len(a) - delay)
    ]
    return fmean(pairs)


def test_heads_of_the_upper_layers_align():
    gru, heads = rows_by_head()
    first, upper = [], []
    for head, rows in heads.items():
        (upper if head.layer else first).append(agreement(rows, gru))
    said = (f"{100 * min(found):.0f} to {percent(max(found))}" for found in (upper, first))
    assert_says(PAGE, "Switch to the transformer", *said)
    lagging = heads[Head(0, 3)]  # it looks at the English of the word before
    assert agreement(lagging, gru, delay=1) > 0.7


def test_the_first_word_or_the_end_has_the_most_bits():
    most = []
    for sentence in SENTENCES:
        bits = Alignment(translated(ATTENTION, sentence), Head()).bits
        assert int(np.argmax(bits)) in (0, len(bits) - 1)
        most.append(max(bits))
    said = f"{min(most):.0f} to {max(most):.0f} bits"
    assert_says(PAGE, "Which word of the translation", said)


def test_agreement_is_read_in_pieces():
    vocabulary = shipped_vocabulary()
    pieces = [vocabulary.decode([i]) for i in vocabulary.encode("the agreement")][1:]
    assert_says(PAGE, "Type Bahdanau", *(f"*{piece.strip()}*" for piece in pieces))


# Word by word ---------------------------------------------------------------------------------


def beginning(text):
    return tuple(shipped_vocabulary().encode(text))


def test_the_other_article_changes_little():
    changed = []
    for model, sentence in BOTH:
        first, *rest = translated(model, sentence).text.split()
        if first in ("Un", "Une"):
            other = "Une" if first == "Un" else "Un"
            led = translated(model, sentence, prefix=beginning(other)).text.split()
            changed.append(led[1:] != rest)
    assert (len(changed), sum(changed)) == (10, 2)
    assert "of the ten translations" in suggestion(PAGE, "Take “Une”").answer


def test_other_beginnings_lead_back():
    def of(text):
        return [
            translated(m, SENTENCES[0], prefix=beginning(text)).text
            for m in (ATTENTION, TRANSFORMER)
        ]

    woman = "Une femme avec un chapeau"
    assert set(of(woman)) == {f"{woman} rouge regarde une maison blanche."}
    assert all(text.endswith("maison blanche.") for text in of("Les enfants jouent dans la neige"))


def test_few_translations_end_where_a_wrong_beginning_ends():
    beginnings = (
        "Une femme avec un chapeau", "Les enfants jouent dans la neige", "Une fille mange",
        "Deux chiens courent dans l'herbe", "Un homme joue de la guitare",
    )  # fmt: skip
    led = [(text, *one) for text in beginnings for one in BOTH]
    stopped = [
        one for text, *one in led if translated(*one, prefix=beginning(text)).text == f"{text}."
    ]
    assert stopped == [[TRANSFORMER, BEACH]] * 3
    said = f"Of {len(led)} translations", "only three", f"*{BEACH.removesuffix('.')}*"
    assert_says(PAGE, "Let it begin", *said)


def least_sure(model, sentence):
    steps = translated(model, sentence).steps
    step = min(steps, key=lambda step: step.candidates[0].probability)
    return {c.symbol.strip(): c.probability for c in step.candidates}


def test_where_the_models_are_least_sure():
    for model in (ATTENTION, TRANSFORMER):
        assert list(least_sure(model, SENTENCES[0]))[:3] == ["dans", "en", "avec"]
        assert {*list(least_sure(model, SENTENCES[1]))[:2]} == {"un", "une"}
    found = least_sure(ATTENTION, BEACH)
    verbs = [f"*{verb}* {percent(found[verb])}" for verb in ("conduit", "passe")]
    assert_says(PAGE, "Find the step", f"*fait* has {percent(found['fait'])}", *verbs)


# Beam search ----------------------------------------------------------------------------------


@cache
def tree(model, sentence, width=5, penalty=1.0):
    return beams._tree(model, provenance_of(model).weights_sha256, sentence, width, penalty)


def best(model, sentence, width=5, penalty=1.0):
    return tree(model, sentence, width, penalty).hypotheses[0]


def test_what_five_beams_find():
    changed = [one for one in BOTH if best(*one).tokens != translated(*one).target_ids]
    assert len(changed) == 3
    assert [sentence for _, sentence in changed[:2]] == [BEACH] * 2
    written = [shipped_vocabulary().decode(best(model, BEACH).tokens) for model, _ in changed[:2]]
    assert "passe à la plage" in written[0]
    assert "conduit" in written[1]
    worse = [
        one for one in changed if best(*one).log_probability < translated(*one).log_probability
    ]
    assert len(worse) == 1
    found = best(*worse[0]).log_probability, translated(*worse[0]).log_probability
    numbers = " instead of ".join(f"−{-value:.2f}" for value in found)
    assert_says(PAGE, "Find a sentence", numbers)


def test_neither_penalty_nor_ten_beams_change_much():
    same = sum(best(*one, penalty=0.0).tokens == best(*one).tokens for one in BOTH)
    assert_says(PAGE, "Set the *Length", f"{same} of the {len(BOTH)}")
    assert all(best(*one, width=10).tokens == best(*one).tokens for one in BOTH)
    few, many = (len(tree(*BOTH[0], width=width).nodes) for width in (5, 10))
    said = f"all {len(BOTH)} translations", f"{many} candidates instead of {few}"
    assert_says(PAGE, "How much is gained", *said)


# Without it -----------------------------------------------------------------------------------


@cache
def nothing(model, sentence):
    return translated(model, sentence, ablated=without._all(Subject(model, sentence)))


def test_what_is_written_without_attention():
    transformer = [nothing(TRANSFORMER, sentence).text for sentence in SENTENCES]
    start = "Un homme avec un costume de bain à l'honneur est en train de faire"
    assert all(text.startswith(start) for text in transformer)
    gru = {" ".join(nothing(ATTENTION, s).text.split()[:2]) for s in SENTENCES}
    assert gru == {"Un homme", "Une femme", "Deux hommes"}
    other = "Three women are sitting at a table."
    assert nothing(TRANSFORMER, other).text.startswith(start)
    written = " ".join(nothing(ATTENTION, other).text.split()[:3])
    assert_says(PAGE, "Switch all of it off", *(f"*{text}*" for text in (*gru, other, written)))
    assert sum(END not in nothing(*one).target_ids for one in BOTH) == 10
    assert all("en train de" in nothing(*one).text for one in BOTH)
    assert "ten of the twelve" in suggestion(PAGE, "Which of the two models").answer


def test_heads_that_a_sentence_needs():
    costs = [head_costs._costs(Subject(TRANSFORMER, sentence)) for sentence in SENTENCES]
    assert np.median(costs) < 0.25
    assert sum((found[2] > 1).sum() in (1, 2) for found in costs) >= 5
    short = "The girl eats an apple."
    assert head_costs._costs(Subject(TRANSFORMER, short)).max() < 1
    assert_says(PAGE, "In the transformer, find", f"in *{short}* none")
    longest = costs[5]
    layer, head = np.unravel_index(int(longest.argmax()), longest.shape)
    name = f"head {layer + 1}.{head + 1}"
    assert_says(PAGE, "In the transformer, find", f"{name} is worth {longest.max():.0f} nats")
    cut = translated(TRANSFORMER, SENTENCES[5], ablated=((int(layer), int(head)),))
    assert "un chapeau et un chapeau rouge" in cut.text
    score = head_costs._results().named(TRANSFORMER)
    worst = min(score.ablated_heads, key=lambda found: found.score)
    assert (worst.layer, worst.head) == (layer, head)
    lost = f"{score.greedy.score - worst.score:.1f} BLEU"
    captions = f"{score.greedy.n_sentences:,} captions"
    assert_says(PAGE, "In the transformer, find", captions, lost)


# Remember? ------------------------------------------------------------------------------------


def test_a_changed_word_changes_its_translation_alone():
    for model in (ATTENTION, TRANSFORMER):
        for old, new, word, becomes in (
            ("white", "red", "blanc", "rouge"),
            ("dog", "cat", "chien", "chat"),
            ("the snow", "the kitchen", "la neige", "la cuisine"),
        ):
            sentence = "A white dog walking in the snow."
            before, after = (
                translated(model, text).text for text in (sentence, sentence.replace(old, new))
            )
            assert after == before.replace(word, becomes)


def test_an_order_that_nobody_writes():
    shuffled = translated(TRANSFORMER, "White a house car looking red man at is a").text
    assert shuffled in suggestion(PAGE, "Write a sentence whose").answer


@needs_training
def test_what_was_never_seen():
    training = memory._training()
    assert any(p.source == "A white dog walking in the snow." for p in training.pairs)
    headline = "The government raised taxes on Monday."
    unknown = [word for word in memory.words_in(headline) if word not in training.words]
    assert_says(PAGE, "Take a line", " and ".join(f"*{word}*" for word in unknown))
    text = translated(TRANSFORMER, headline).text.removesuffix(".")
    assert_says(PAGE, "Take a line", text)


def test_no_text_holds_the_token_of_the_beginning_that_is_read_first():
    assert_says(PAGE, "What does the decoder read", f"`{SPECIAL_TOKENS[START]}`")
    assert START not in shipped_vocabulary().encode("the <start> of a sentence")


# Padding --------------------------------------------------------------------------------------


def test_padding_gets_attention_that_nothing_hides():
    gru, transformer = (_read(name, EXAMPLES[0].english) for name in (ATTENTION, TRANSFORMER))
    shares = [percent(found.unmasked.on_padding[0]) for found in (transformer, gru)]
    assert_says(PAGE, "Choose the other model.", *shares)
    for found in (gru, transformer):
        assert found.texts[0][0] == "Un homme dort."
        assert found.texts[0][1].startswith("Un homme dort ")
        assert found.texts[2][0] == found.texts[2][1]
    padding = gru.masked.weights.shape[1] - len(gru.symbols[0])
    assert_says(PAGE, "Compare the two translations", str(padding))
