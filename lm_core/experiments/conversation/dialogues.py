"""Dialogues of books: paragraphs of direct speech that follow each other are taken for turns."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from lm_core.experiments.assistant.tuning import Row
from lm_core.text.catalogue import BOOKS
from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.library import HELD_OUT_NOVELS, held_out_of, learned_of
from lm_core.text.training_text import load_book

Dialogue = tuple[str, ...]
"""What is said, turn by turn, without the words of the narrator."""

MOST_CHARACTERS = 200
"""Of a turn: a longer one is a tale, and ends the dialogue."""
_QUOTE = '"'
_SPEECH = re.compile('"([^"]+)"?')


def dialogues_of(text: str) -> Iterator[Dialogue]:
    r"""Yield the dialogues of a text whose paragraphs are lines and whose quotes are straight.

    A paragraph whose last quote is not closed is said by the one who says the next.

    Examples
    --------
    >>> list(dialogues_of('"Tea?" said he. "Now?"\n"No."\nIt rained.\n"Oh!"\n'))
    [('Tea? Now?', 'No.')]
    """
    turns: list[str] = []
    is_open = False
    for line in [*text.split("\n"), ""]:
        said = " ".join(piece.strip() for piece in _SPEECH.findall(line))
        if line.startswith(_QUOTE) and said and len(said) <= MOST_CHARACTERS:
            turns = [*turns[:-1], f"{turns[-1]} {said}"] if is_open else [*turns, said]
            is_open = line.count(_QUOTE) % 2 == 1
            continue
        if len(turns) > 1:
            yield tuple(turns)
        turns, is_open = [], False


def learned_dialogues(vocabulary: CharacterVocabulary) -> list[Dialogue]:
    """Return the dialogues of what the model has read of the 33 books.

    Raises CorpusUnavailableError if a book is not on this machine.
    """
    texts = [vocabulary.normalise(learned_of(corpus.name)) for corpus in BOOKS]
    book = load_book(vocabulary)
    return [d for text in (*texts, vocabulary.decode(book.train)) for d in dialogues_of(text)]


def held_out_dialogues(vocabulary: CharacterVocabulary) -> list[Dialogue]:
    """Return the dialogues of what it has not read: a tenth of six novels, and of War and Peace.

    Raises CorpusUnavailableError if a book is not on this machine.
    """
    texts = [vocabulary.normalise(held_out_of(name)) for name in HELD_OUT_NOVELS]
    book = load_book(vocabulary)
    return [d for text in (*texts, vocabulary.decode(book.validation)) for d in dialogues_of(text)]


def turn_ids(vocabulary: CharacterVocabulary, said: str) -> np.ndarray:
    """Return a turn as it is printed: a paragraph in quotes, whose end separates it from the next one."""
    return vocabulary.encode(f"{_QUOTE}{said}{_QUOTE}\n")


def reply_row(
    vocabulary: CharacterVocabulary, before: Sequence[str], replies: Sequence[str]
) -> Row:
    """Return some turns as a model reads them: only of the replies the loss is taken.

    The quote that opens a reply is no part of it, since it is given.
    """
    ids, is_answer = [vocabulary.encode("\n")], [np.zeros(1, bool)]
    for place, said in enumerate((*before, *replies)):
        ids.append(turn_ids(vocabulary, said))
        is_answer.append(np.full(len(ids[-1]), place >= len(before)))
        is_answer[-1][0] = False
    return Row(np.concatenate(ids), np.concatenate(is_answer))


def read_before(vocabulary: CharacterVocabulary, before: Sequence[str], most: int) -> np.ndarray:
    """Return what a model reads before it replies: the last whole turns within `most` tokens, and a quote."""
    turns = [vocabulary.encode(_QUOTE)]
    for said in reversed(before):
        turn = turn_ids(vocabulary, said)
        if len(turn) + sum(map(len, turns)) >= most:
            break
        turns.insert(0, turn)
    return np.concatenate([vocabulary.encode("\n"), *turns])
