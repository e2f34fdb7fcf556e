"""A sentence word by word: how surprising each word is from the left and from both sides, also read backwards."""

import streamlit as st

from lm_core.experiments.masked_language_model.text_scores import AS_WRITTEN, BACKWARDS, SHUFFLED
from lm_core.text.whole_words import SubwordText, backwards, read_subwords
from pages.masked_language_model.expected import WordBits, word_bits
from pages.masked_language_model.grouped_columns_chart import column_table, grouped_columns
from pages.masked_language_model.subject import (
    BOTH,
    COLOURS,
    LEFT,
    MOST_SUBWORDS,
    choose_sentence,
    results,
    sentence_of,
    vocabulary,
)
from pages.shared import page
from pages.shared.charts.palette import numbered
from pages.shared.ui.markdown import as_code

EXAMPLES = dict.fromkeys(
    (
        "He took off his hat and bowed to the countess.",
        "The old prince was in his study and did not come out.",
        "Natasha looked at him with shining eyes and smiled.",
        "They rode along the road to the village in silence.",
    )
)
_SENTENCE, _ORDER = "scored_sentence", "word_order"
_ORDERS = (AS_WRITTEN, BACKWARDS)
_HIGHEST = 14.0  # least end of the axis, in bits


def word_by_word(screen: page.FirstScreen) -> None:
    """Draw the surprisal of every word, and the sum over the sentence."""
    text = choose_sentence(screen, _SENTENCE, EXAMPLES)
    with screen.controls:
        order = page.segments(_ORDER, "Words", _ORDERS, AS_WRITTEN)
    arranged = _arranged(text, str(order))
    bits = word_bits(arranged)
    asked = _ask(screen, arranged, bits)
    with screen.picture:
        _columns(arranged, bits, asked)
    _notes(screen, text, str(order))


def _arranged(text: SubwordText, order: str) -> SubwordText:
    if order == AS_WRITTEN:
        return text
    # Turned round, a text may have a few subwords more than its limit.
    return read_subwords(backwards(sentence_of(text)), vocabulary(), 2 * MOST_SUBWORDS)


def _ask(screen: page.FirstScreen, text: SubwordText, bits: WordBits) -> page.Asked:
    sums = {LEFT: sum(bits.left), BOTH: sum(bits.both)}
    gained = [a - b for a, b in zip(bits.left, bits.both, strict=True)]
    most = max(range(len(gained)), key=gained.__getitem__)
    return page.ask(
        screen,
        "sentence_bits",
        "Which model is less surprised by the whole sentence?",
        COLOURS,
        right=min(sums, key=sums.__getitem__),
        reason=f"**{sums[LEFT]:.0f} bits** from the left alone, **{sums[BOTH]:.0f} bits** from both"
        " sides."
        + (
            f" What follows a word helps most at {as_code(text.spellings[most])}, where {bits.left[most]:.1f} bits become"
            f" {bits.both[most]:.1f}, because it tells what the words to its left leave open."
            if gained[most] > 0
            else " Here what follows helps at no word, so it speaks for other words, or these were seldom covered in training."
        ),
    )


def _columns(text: SubwordText, bits: WordBits, asked: page.Asked) -> None:
    hides = asked.masks
    both = [None] * len(bits.both) if hides else bits.both
    table = column_table(numbered(text.spellings), {LEFT: bits.left, BOTH: both})
    total = "?" if hides else f"{sum(bits.both):.0f}"
    title = f"{sum(bits.left):.0f} bits from the left alone, {total} bits from both sides"
    st.markdown(f"**{title}**")
    page.show_chart(
        grouped_columns(
            table,
            COLOURS,
            title="surprisal of the word (bits)",
            highest=max(_HIGHEST, 1.1 * max((*bits.left, *bits.both))),
            height=300,
        ),
        key="word_bits",
        alt=title
        + "; "
        + "; ".join(
            f"{word} {left:.1f}" + ("" if hides else f" and {right:.1f}")
            for word, left, right in zip(text.spellings, bits.left, bits.both, strict=True)
        ),
        name="surprisal-by-word",
    )


def _notes(screen: page.FirstScreen, text: SubwordText, order: str) -> None:
    measured = results()
    written, turned = measured.of_order(AS_WRITTEN), measured.of_order(BACKWARDS)
    page.note_beside(
        screen,
        "Each word is covered in turn. The sum from both sides is the *pseudo-log-likelihood*: it is not"
        " the probability of the sentence. Read backwards, a word of unseen sentences has"
        f" **{turned.left_bits - written.left_bits:.1f} bits** more from the left and"
        f" **{turned.both_bits - written.both_bits:.1f}** more from both sides, because the model has"
        " learned in which order English words come.",
    )
    if page.is_presenting():
        return
    shuffled = measured.of_order(SHUFFLED)
    as_it_is = word_bits(text)
    both_ways = word_bits(_arranged(text, BACKWARDS))
    st.markdown(
        f"This sentence: {sum(as_it_is.both):.0f} bits as written and {sum(both_ways.both):.0f}"
        f" backwards from both sides, {sum(as_it_is.left):.0f} and {sum(both_ways.left):.0f} from"
        " the left alone. Both sides are still there when a sentence is turned round, but in the"
        " wrong order. The model has learned the order, so on average it is more surprised. Over"
        f" {written.sentences} unseen sentences, bits a word: {written.both_bits:.1f} as written,"
        f" {turned.both_bits:.1f} backwards, {shuffled.both_bits:.1f} shuffled."
    )
    with st.expander("The formula", icon=":material/function:"):
        st.latex(
            r"\mathrm{PLL}(x) = \sum_{t} \log p(x_t \mid x_1, \ldots, x_{t-1}, x_{t+1}, \ldots)"
        )
        st.markdown(
            "The chain rule multiplies p(x₁) p(x₂ | x₁) p(x₃ | x₁, x₂) …, each word given those"
            " before it. A product in which every factor has seen the other words is no"
            " probability of the whole, because each word then helps to predict those that predict"
            " it. Subwords of one word are predicted from left to right, the later ones covered."
        )
