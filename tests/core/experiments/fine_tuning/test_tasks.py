"""How the labelled texts are made, on texts of a few lines."""

import re

import pytest
import torch

from lm_core.experiments.fine_tuning import authors, next_sentences, prose, speakers, tags
from lm_core.experiments.fine_tuning.prose import book_paragraphs, passages, sentences_of
from lm_core.experiments.fine_tuning.settings import TASKS
from lm_core.experiments.fine_tuning.speakers import questions, speaker_task
from lm_core.experiments.fine_tuning.tags import tagged_subwords
from lm_core.experiments.fine_tuning.tasks import MAKE_TASK
from lm_core.models.masked_language_model import MaskedLanguageModelConfig
from lm_core.models.task_heads import NOT_ASKED
from lm_core.text.tagged_sentences import TAGS, TaggedSentence, TaggedText
from lm_core.text.vocabularies import FULL_SUBWORDS, vocabulary_named
from tests.core.text.test_book import HEADER, LICENCE

VOCABULARY = vocabulary_named(FULL_SUBWORDS)
CONFIG = MaskedLanguageModelConfig(len(VOCABULARY))


def book(name):
    """Return a file of many numbered sentences, those of each book with words of its own."""
    n = 40
    word = re.sub("[^a-z]", "", name)
    lines = [
        f"The {word} number {i} was seen from the great window. It went away with the others {i}."
        for i in range(n)
    ]
    return HEADER + "\n" + "\n\n".join(lines) + "\n\n" + LICENCE


@pytest.fixture
def library(monkeypatch):
    monkeypatch.setattr(prose, "load_text", book)


def texts_of(tokens, lengths):
    return [
        "".join(VOCABULARY.symbols[i] if i < len(VOCABULARY) else "|" for i in row[:n])
        for row, n in zip(tokens.tolist(), lengths.tolist(), strict=True)
    ]


# Prose ----------------------------------------------------------------------------------------


def test_paragraphs_have_no_header_no_heading_and_no_stage_directions(monkeypatch):
    play = (
        f"{HEADER}\nFIRST ACT\n\nAnna.  The letters lay in this drawer for years, [She opens it.] and he took them to\n"
        "London.  It is sad.\n\n"
        "Count Orsky.  Then we must write them all again, and sign them\nwith another name.\n\n"
        "Anna.  Yes.\n"
    )
    monkeypatch.setattr(prose, "load_text", lambda name: play)
    assert book_paragraphs("gutenberg/play", VOCABULARY) == [
        "The letters lay in this drawer for years, and he took them to London. It is sad.",
        "Then we must write them all again, and sign them with another name.",
    ]


def test_sentences_end_at_marks_and_not_at_titles():
    text = 'Mr. Smith came. "Why?" asked Mrs. Grey! He went... Then rain.'
    assert sentences_of(text) == [
        "Mr. Smith came.", '"Why?"', "asked Mrs. Grey!", "He went...", "Then rain.",
    ]  # fmt: skip


def test_passages_are_whole_sentences_cut_to_length():
    text = [
        "The old man went out. He came back.", "She said nothing to him at all, and smiled. Yes."
    ]  # fmt: skip
    found = list(passages(text, VOCABULARY, 8, 14))
    assert all(8 <= len(ids) <= 14 for ids in found)
    assert VOCABULARY.decode(found[0]).strip().startswith("The old man went out. He")
    assert VOCABULARY.decode(found[0]).startswith("\n")


# Tasks ----------------------------------------------------------------------------------------


def test_every_task_is_made():
    assert set(MAKE_TASK) == set(TASKS)


def test_authors_are_tried_on_books_that_nobody_learned_from(library):
    assert not set(authors.TRAINING_BOOKS.values()) & set(authors.TEST_BOOKS.values())
    task = authors.author_task(VOCABULARY, CONFIG)
    for part, books in ((task.training, authors.TRAINING_BOOKS), (task.test, authors.TEST_BOOKS)):
        words = [re.sub("[^a-z]", "", f"gutenberg/{name}") for name in books.values()]
        for text, author in zip(texts_of(*part[:2]), part.targets.tolist(), strict=True):
            assert f" {words[author]} " in text
        counts = part.targets.bincount().tolist()
        assert min(counts) > 0.7 * max(counts)
        assert part.targets.tolist() != sorted(part.targets.tolist())


def test_a_following_sentence_follows_and_every_second_one_does(library, monkeypatch):
    monkeypatch.setattr(next_sentences, "N_TRAINING", 200)
    task = next_sentences.next_sentence_task(VOCABULARY, CONFIG)
    follows = []
    for text, label in zip(texts_of(*task.training[:2]), task.training.targets, strict=True):
        first, second = re.findall(r"number (\d+) was.*others (\d+)\.", text, re.DOTALL)[0]
        follows.append(first == second)
        assert follows[-1] == bool(label)
    assert 0.45 < sum(follows) / len(follows) < 0.55
    assert not set(next_sentences.TRAINING_BOOKS) & set(next_sentences.TEST_BOOKS)


def test_a_word_has_its_tag_at_its_first_subword():
    words = ("``", "Xylographers", "came", "''", ",", "(", "he", ")", "said", ".")
    numbers = tuple(range(10))
    subwords, targets = tagged_subwords(TaggedSentence(words, numbers), VOCABULARY)
    assert VOCABULARY.decode(subwords) == '\n"Xylographers came", (he) said.'
    asked = [i for i, tag in enumerate(targets) if tag != NOT_ASKED]
    assert [targets[i] for i in asked] == list(numbers)
    starts = [VOCABULARY.symbols[subwords[i]].strip() for i in asked]
    assert all(
        written.startswith(start)
        for start, written in zip(starts, ('"', "Xylographers", "came", '"', ",", "(", "he", ")", "said", "."), strict=True)
    )  # fmt: skip


def test_tags_are_tried_on_other_texts(monkeypatch):
    def text(i):
        sentence = TaggedSentence((f"text{i}", "sleeps", "."), (0, 1, 11))
        return TaggedText(f"ca{i:02d}", (sentence,) * 3)

    monkeypatch.setattr(tags, "load_texts", lambda: tuple(text(i) for i in range(20)))
    task = tags.tag_task(VOCABULARY, CONFIG)
    learned, tried = (set(texts_of(*part[:2])) for part in (task.training, task.test))
    assert len(learned) == 16
    assert len(tried) == 2
    assert not learned & tried
    assert task.baselines == {"always noun": pytest.approx(1 / 3)}
    assert task.labels == TAGS


# Questions ------------------------------------------------------------------------------------

SCENE = [
    'Sonya looked up. "It is late," said Sonya. The count went on reading by the window.',
    '"Where is Natasha?" the count asked, and he rose from his chair without another word.',
    '"It is late," said Sonya. "I know," replied the count, and then nobody spoke for a while.',
]


def test_the_answer_is_the_name_where_the_rule_finds_it():
    found = list(questions(SCENE, ["Sonya", "the count"], VOCABULARY, 128))
    answers = [VOCABULARY.decode(q.passage[q.start : q.stop]).strip() for q in found]
    asked = [VOCABULARY.decode(q.quotation).strip() for q in found]
    assert asked == ["It is late,", "Where is Natasha?", "It is late,", "I know,"]
    assert answers == ["Sonya", "the count", "Sonya", "the count"]
    assert [q.is_last for q in found] == [False, False, False, True]
    assert all(len(q.quotation) + len(q.passage) + 3 <= 128 for q in found)
    passages = [VOCABULARY.decode(q.passage) for q in found]
    assert "by the window" in passages[1], "the paragraph before is read, too"
    assert "without another word" in passages[0], "and the one behind"


def test_a_passage_with_one_speaker_alone_asks_nothing():
    assert not list(questions([SCENE[0].split(" The")[0]], ["Sonya"], VOCABULARY, 128))


def test_where_the_answer_stands_is_drawn():
    many = list(questions(SCENE * 30, ["Sonya", "the count"], VOCABULARY, 128))
    behind = {len(q.passage) - q.stop for q in many}
    assert len(behind) > 8


def test_test_questions_are_of_the_books_end(monkeypatch):
    names = [f"{a}{b}" for a in "BDFGKLMN" for b in ("arov", "olin", "uvin")]
    scenes = [
        f'Sonya sat still. "Come here," said {name}. "I will not," said Sonya, and {name} laughed.'
        for name in names
        for _ in range(2)
    ]
    monkeypatch.setattr(speakers, "load_body", lambda: "\n\n".join(scenes))
    task = speaker_task(VOCABULARY, CONFIG)

    def answers(part):
        return {
            VOCABULARY.decode(row[a : b + 1].tolist()).strip()
            for row, (a, b) in zip(part.tokens, part.targets.tolist(), strict=True)
        }

    learned, tried = answers(task.training), answers(task.test)
    assert learned & tried <= {"Sonya"} | {names[18], names[19]}
    assert names[-1] in tried
    assert len(task.training.lengths) > 2 * len(task.test.lengths)
    assert 0.0 < next(iter(task.baselines.values())) <= 0.5
    assert torch.equal(
        task.test.targets[:, 0] <= task.test.targets[:, 1],
        torch.ones(len(task.test.lengths)).bool(),
    )
