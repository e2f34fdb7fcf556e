"""Measures of texts whose faults are known."""

import pytest

from lm_core.analysis.text_quality import text_quality

KNOWN = frozenset(
    ["the", "count", "smiled", "and", "went", "to", "moscow", "yes", "he", "said", "come", "here"]
)


def quality(text):
    return text_quality(text, KNOWN)


def test_words_that_nobody_knows_are_counted_whatever_their_case():
    assert quality("The Count smilled and went").real_words == pytest.approx(4 / 5)


def test_three_words_that_come_again_are_not_distinct():
    # Seven words, five trigrams: "the count smiled" and "count smiled the" come twice.
    assert quality("the count smiled the count smiled the").distinct_trigrams == pytest.approx(
        3 / 5
    )


def test_only_a_sentence_of_some_length_that_comes_again_is_a_repetition():
    text = "He went to Moscow. Yes, yes. He went to Moscow! Yes, yes. The count went to Moscow. "
    assert quality(text).repeated_sentences == pytest.approx(1 / 3)


def test_a_sentence_that_the_passage_cuts_has_no_length():
    assert quality("He went to Moscow. Yes. The count went").sentence_words == pytest.approx(2.5)


def test_dialogue_is_what_stands_between_quotation_marks():
    text = '"Yes," he said. "Come here."\n'
    assert quality(text).dialogue == pytest.approx((len("Yes,") + len("Come here.")) / len(text))


def test_a_quotation_that_its_paragraph_leaves_open_is_a_fault():
    text = '"Yes," he said, "come.\nThe count smiled.'
    assert quality(text).closed_quotations == 1 / 2
    assert quality(text).dialogue == pytest.approx((len("Yes,") + len("come.")) / len(text))


def test_a_speaker_may_go_on_in_the_next_paragraph_and_a_passage_may_be_cut():
    assert quality('"Come here.\n"Yes, come."\nHe said: "The cou').closed_quotations == 1.0


def test_a_text_without_quotations_words_or_sentences_has_no_measure_of_them():
    assert quality("he went").dialogue is None
    assert quality("he went").closed_quotations is None
    assert quality("he went").distinct_trigrams is None
    assert quality("1812").real_words is None
    assert quality("he went").sentence_words is None


def test_of_the_sentences_after_the_first_those_that_begin_with_a_capital_are_counted():
    text = 'he went. The count smiled. "Come here?" he said. 1812 came! yes.'
    # After "went." The, after "smiled." Come, after "here?" he, after "said." a number, after "came!" yes.
    assert quality(text).capitals == pytest.approx(2 / 4)
    assert quality("he went").capitals is None
