"""Books sentence by sentence, as subwords of the encoder's vocabulary."""

import re
from collections.abc import Iterator, Sequence

from lm_core.text.character_vocabulary import CharacterVocabulary
from lm_core.text.corpora import load_text
from lm_core.text.training_text import printed_body

_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!Mr\.)(?<!Mrs\.)(?<!Dr\.)(?<!St\.)\"? ")
_LEAST_LETTERS = 40  # shorter paragraphs are headings, or an exclamation
_ROLE = re.compile(r"(?<=\n\n)[A-Z][a-z]+(?: [A-Z][a-z]+)?\.  ")
_STAGE = re.compile(r"\[[^\]]*\]")


def book_paragraphs(name: str, vocabulary: CharacterVocabulary) -> list[str]:
    """Return the paragraphs of a book of the library, normalised; not its headings and lists.

    The names before the speeches of a play, and its stage directions, are left out. Raises
    CorpusUnavailableError if the book is not on this machine.
    """
    body = _STAGE.sub("", _ROLE.sub("", printed_body(load_text(name))))
    found = (line.strip() for line in vocabulary.normalise(body).split("\n"))
    return [line for line in found if sum(map(str.islower, line)) >= _LEAST_LETTERS]


def sentences_of(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph, closing quotation marks with the sentence before.

    Examples
    --------
    >>> sentences_of('"Are you ill?" She was. He left Mr. Grey.')
    ['"Are you ill?"', 'She was.', 'He left Mr. Grey.']
    """
    sentences, start = [], 0
    for end in (*_SENTENCE_END.finditer(paragraph), None):
        sentence = paragraph[start : end.end() if end else None].strip()
        start = end.end() if end else start
        if sentence:
            sentences.append(sentence)
    return sentences


def encode_text(text: str, vocabulary: CharacterVocabulary) -> list[int]:
    """Return a normalised text as the encoder knows it from the book: after the end of a paragraph."""
    ids: list[int] = vocabulary.encode("\n" + text).tolist()
    return ids


def passages(
    paragraphs: Sequence[str], vocabulary: CharacterVocabulary, shortest: int, longest: int
) -> Iterator[list[int]]:
    """Yield passages of a book: sentences that follow on each other, until there are enough subwords.

    `shortest`, `longest`: int, subwords of a passage; what is longer is cut.
    """
    gathered = ""
    for paragraph in paragraphs:
        for sentence in sentences_of(paragraph):
            gathered = f"{gathered} {sentence}".strip()
            ids = encode_text(gathered, vocabulary)
            if len(ids) >= shortest:
                yield ids[:longest]
                gathered = ""
