"""A visitor's text is read as the tasks' texts are, and every head answers where it was taught to."""

import numpy as np
import pytest
import torch

from lm_core.errors import TextError
from lm_core.experiments.fine_tuning import asking
from lm_core.experiments.fine_tuning.authors import PASSAGE
from lm_core.experiments.fine_tuning.next_sentences import SENTENCE
from lm_core.experiments.fine_tuning.prose import encode_text
from lm_core.experiments.fine_tuning.speakers import QUESTION
from lm_core.experiments.fine_tuning.tags import LONGEST, tagged_subwords
from lm_core.models.masked_language_model import MaskedLanguageModel, MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED, SEQUENCE, SPAN, TOKENS, TaskModel
from lm_core.rng import generator
from lm_core.text.tagged_sentences import TaggedSentence
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named

SPOKEN = 'Natasha ran up. "You must come with us," said Natasha. "I am too old," answered Pierre.'


@pytest.fixture(scope="module")
def vocabulary():
    return vocabulary_named(FULL_SUBWORDS)


@pytest.fixture(scope="module")
def config(vocabulary):
    return MaskedLanguageModelConfig(len(vocabulary), width=16, heads=2, layers=1)


@pytest.fixture
def model_of(config):
    def make(kind, n_labels):
        encoder = MaskedLanguageModel(config)
        encoder.initialise(generator(1))
        encoder.embedding.weight.data.mul_(20.0)  # so that one token is not like another
        model = TaskModel(encoder, kind, n_labels, generator(2)).eval()
        model.head.weight.data.mul_(50.0)
        return model

    return make


def test_texts_begin_after_a_paragraph_and_are_bounded(vocabulary):
    (ids,) = asking.read_passage("  The  old\nprince “smiled”. ", vocabulary)
    assert vocabulary.decode(ids) == '\nThe old prince "smiled".'
    first, second = asking.read_pair("He came.", "She left.", vocabulary)
    assert (vocabulary.decode(first), vocabulary.decode(second)) == ("\nHe came.", "\nShe left.")
    with pytest.raises(TextError, match=f"the passage may have at most {PASSAGE[1]} subwords"):
        asking.read_passage("very " * PASSAGE[1], vocabulary)
    with pytest.raises(TextError, match=f"the second sentence may have at most {SENTENCE[1]}"):
        asking.read_pair("He came.", "very " * SENTENCE[1], vocabulary)
    with pytest.raises(TextError, match="the first sentence is empty"):
        asking.read_pair("Пьер", "She left.", vocabulary)


def test_classes_are_those_of_each_text_alone(vocabulary, model_of):
    model = model_of(SEQUENCE, 3)
    texts = [
        asking.read_passage(text, vocabulary)
        for text in ("He came.", "She sat by the window and wept.")
    ]
    found = asking.class_probabilities(model, texts * 40)
    assert found.shape == (80, 3)
    assert found.sum(1) == pytest.approx(np.ones(80), abs=1e-5)
    alone = asking.class_probabilities(model, texts[1:])
    assert found[-1] == pytest.approx(alone[0], abs=1e-5)
    assert abs(found[0] - found[1]).max() > 0.01


def test_words_are_tagged_at_their_first_subword(vocabulary, model_of):
    asked = asking.read_words('"The snuffbox," said \u0421onya.', vocabulary)
    assert asked.words == ("``", "The", "snuffbox", ",", "''", "said", "\u0421onya", ".")
    sentence = TaggedSentence(asked.words, tuple(range(len(asked.words))))
    subwords, tags = tagged_subwords(sentence, vocabulary)
    assert asked.subwords == subwords
    assert asked.places == [i for i, tag in enumerate(tags) if tag != NOT_ASKED]
    assert len(asked.subwords) > len(asked.words) + 1, "one of the words has several subwords"
    model = model_of(TOKENS, 12)
    found = asking.tag_probabilities(model, asked)
    config = model.encoder.config
    row = torch.tensor([[config.first_id, *subwords, config.separator_id]])
    logits = model(row, torch.tensor([row.shape[1]]))[0]
    expected = logits[[1 + place for place in asked.places]].softmax(-1).detach().numpy()
    assert found == pytest.approx(expected, abs=1e-6)


def test_words_of_which_nothing_is_known_are_left_out(vocabulary):
    assert asking.read_words("He said Да yes.", vocabulary).words == ("He", "said", "yes", ".")
    with pytest.raises(TextError, match="is empty"):
        asking.read_words("Да", vocabulary)
    with pytest.raises(TextError, match=f"at most {LONGEST - 2} subwords"):
        asking.read_words("zxqjvwk " * 30, vocabulary)


def test_a_question_is_what_is_said_in_the_passage(vocabulary, config):
    assert asking.quotations_of(SPOKEN, vocabulary) == ["You must come with us,", "I am too old,"]
    asked = asking.read_question(SPOKEN, "I am too old,", vocabulary, config)
    assert asked.quotation == encode_text("I am too old,", vocabulary)
    assert vocabulary.decode(asked.passage) == f"\n{SPOKEN}"
    said = "very " * 40
    long = asking.read_question(f'"{said}" said he.', said, vocabulary, config)
    assert long.quotation == encode_text(said, vocabulary)[-QUESTION:]
    with pytest.raises(TextError, match="must have the quotation"):
        asking.read_question(SPOKEN, "Never!", vocabulary, config)
    with pytest.raises(TextError, match="the passage may have at most"):
        asking.read_question(SPOKEN + " very" * 120, "I am too old,", vocabulary, config)


def test_the_answer_is_a_span_of_the_passage(vocabulary, config, model_of):
    model = model_of(SPAN, 2)
    asked = asking.read_question(SPOKEN, "I am too old,", vocabulary, config)
    found = asking.find_speaker(model, asked)
    n = len(asked.passage)
    assert found.first.shape == found.last.shape == (n,)
    assert found.first.sum() == pytest.approx(1.0, abs=1e-5)
    assert 0 <= found.start < found.stop <= n
    pairs = [(found.first[i] * found.last[j], i, j + 1) for i in range(n) for j in range(i, n)]
    assert max(pairs)[1:] == (found.start, found.stop)
