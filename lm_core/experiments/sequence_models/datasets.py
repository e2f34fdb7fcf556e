"""What the sequence models learn from: names, words and sentences of War and Peace.

Nothing of this is shipped; it is found again wherever the book is.
"""

import random
import re
from collections import Counter
from typing import NamedTuple

from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.corpora import load_text
from lm_core.text.symbols import as_sentence, plain
from lm_core.text.training_text import split_licence

WORD_LENGTHS = range(3, 13)
SENTENCE_LENGTHS = range(20, 101)
HELD_OUT = 10  # one in so many words; of the sentences, the last tenth of the book


class BookWords(NamedTuple):
    """Different words of the book in plain lower case, in random order, and which are names."""

    train: tuple[tuple[str, bool], ...]
    held_out: tuple[tuple[str, bool], ...]


class BookSentences(NamedTuple):
    """Sentences as the models read them, and which are spoken; as many spoken as not."""

    train: tuple[tuple[str, bool], ...]
    held_out: tuple[tuple[str, bool], ...]


def book_words() -> BookWords:
    """Collect the words that appear in the book at least twice.

    A name has a capital letter after another word or a comma, and never appears without one. Raises
    CorpusUnavailableError if the book is not on this machine.
    """
    text = _body()
    small = Counter(plain(word) for word in re.findall(r"\b[a-zà-ÿ]+\b", text))
    inside = re.findall(r"(?<=[a-zà-ÿ,] )([A-ZÀ-Þ][a-zà-ÿ]+)\b", text)
    names = Counter(plain(word) for word in inside)
    found = [
        *((word, True) for word, n in names.items() if n > 1 and word not in small),
        *((word, False) for word, n in small.items() if n > 1),
    ]
    kept = sorted(pair for pair in found if _is_plain(pair[0]))
    random.Random(0).shuffle(kept)
    n_held_out = len(kept) // HELD_OUT
    return BookWords(tuple(kept[n_held_out:]), tuple(kept[:n_held_out]))


def _is_plain(word: str) -> bool:
    return len(word) in WORD_LENGTHS and re.fullmatch("[a-z]+", word) is not None


def book_sentences() -> BookSentences:
    """Collect sentences of speech and of narration, without their closing signs.

    Speech is text in quotation marks, narration are paragraphs without any. Raises
    CorpusUnavailableError if the book is not on this machine.
    """
    body = _body()
    cut = body.rfind("\n\n", 0, len(body) * (HELD_OUT - 1) // HELD_OUT)
    train, held_out = (_sentences(part) for part in (body[:cut], body[cut:]))
    seen = {sentence for sentence, _ in train}
    return BookSentences(
        _balanced(train), _balanced([pair for pair in held_out if pair[0] not in seen])
    )


def _sentences(text: str) -> list[tuple[str, bool]]:
    found: dict[str, bool] = {}
    for paragraph in re.split(r"\n\s*\n", text):
        flat = " ".join(paragraph.split())
        if "“" in flat:
            pieces, spoken = re.findall(r"“([^“”]+)”", flat), True
        elif "”" not in flat and re.search("[a-z]", flat):
            pieces, spoken = [flat], False
        else:
            continue
        for piece in pieces:
            for sentence in map(as_sentence, re.split(r"(?<=[.?!…]) ", piece)):
                if len(sentence) in SENTENCE_LENGTHS:
                    found.setdefault(sentence, spoken)
    return list(found.items())


def _balanced(pairs: list[tuple[str, bool]]) -> tuple[tuple[str, bool], ...]:
    """Draw as many of the more frequent kind as there are of the other, in random order."""
    shuffled = list(pairs)
    random.Random(0).shuffle(shuffled)
    kinds = [[pair for pair in shuffled if pair[1] is spoken] for spoken in (True, False)]
    fewest = min(map(len, kinds))
    kept = [pair for kind in kinds for pair in kind[:fewest]]
    random.Random(1).shuffle(kept)
    return tuple(kept)


def _body() -> str:
    return split_licence(load_text(WAR_AND_PEACE.name))[0]
