"""The Brown corpus sentence by sentence, each word with its part of speech.

The corpus distinguishes some 80 parts of speech, many with marks for titles, headlines and foreign
words. Here they are the twelve of the universal tag set, as NLTK maps them.

References
----------
Francis & Kucera 1979, "Brown Corpus Manual". http://icame.uib.no/brown/bcm.html
Petrov, Das & McDonald 2012, "A Universal Part-of-Speech Tagset". https://arxiv.org/abs/1104.2086
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from lm_core.errors import CorpusError
from lm_core.text.catalogue import BROWN
from lm_core.text.corpora import load_bytes

TAGS = ("NOUN", "VERB", "ADJ", "ADV", "PRON", "DET", "ADP", "CONJ", "NUM", "PRT", "X", ".")
"""The universal tag set; a tag's number is its place."""

TRAIN, VALIDATION, TEST = "train", "validation", "test"
_PARTS = {4: VALIDATION, 9: TEST}
"""Of every ten texts, in the order of their names, the fifth and the tenth are held out."""

_TEXT = re.compile(r".*/c[a-r]\d\d")
_MARKS = re.compile(r"(-(tl|hl|nc))+$")
_WITH_VERB = re.compile(r"(dt|dts|ex|nns?|n[pr]|pn|pps|ppss|wdt|rb|wps|wrb)\+(be|hv|md|do)")
_NUMBERS = {tag: number for number, tag in enumerate(TAGS)}

_UNIVERSAL = {
    tag: universal
    for universal, tags in {
        "NOUN": "nn nn$ nns nns$ np np$ nps nps$ nr nr$ nrs pn pn$ cd$",
        "VERB": "be bed bedz beg bem ben ber bez do dod doz hv hvd hvg hvn hvz md vb vbd vbg vbn vbz",
        "ADJ": "jj jj$ jjr jjs jjt ap od",
        "ADV": "rb rb$ rbr rbt rn ql qlp wrb wql *",
        "PRON": "pp$$ ppl ppls ppo pps ppss wpo wps",
        "DET": "at dt dt$ dti dts dtx abx pp$ wdt wp$",
        "ADP": "in cs",
        "CONJ": "cc",
        "NUM": "cd",
        "PRT": "abl abn ap$ ex rp to uh",
        "X": "nil",
        ".": ". , : -- ( ) `` '' '",
    }.items()
    for tag in tags.split()
}


class TaggedSentence(NamedTuple):
    """Words as they are written, punctuation included, and the number of each one's tag in `TAGS`."""

    words: tuple[str, ...]
    tags: tuple[int, ...]


class TaggedText(NamedTuple):
    """One of the corpus's 500 texts, by its name: its second letter is its category."""

    name: str
    sentences: tuple[TaggedSentence, ...]


def universal_tag(tag: str) -> str:
    """Return the universal tag of one of the corpus's own.

    Raises CorpusError if the corpus has no such tag.

    Examples
    --------
    >>> universal_tag("nn-tl"), universal_tag("bez*"), universal_tag("ppss+bem")
    ('NOUN', 'VERB', 'PRT')
    """
    plain = tag.lower()
    if plain.startswith("fw-"):
        return "X"
    plain = _MARKS.sub("", plain)
    if _WITH_VERB.match(plain):
        return "PRT"
    first = plain.partition("+")[0]
    first = first.removesuffix("*") or first
    if first not in _UNIVERSAL:
        raise CorpusError(f"{tag!r} is no tag of the Brown corpus")
    return _UNIVERSAL[first]


def load_texts() -> tuple[TaggedText, ...]:
    """Return the 500 texts in the order of their names.

    Raises CorpusUnavailableError if the corpus is not on this machine, and CorpusError if the file
    is not what its record says.
    """
    texts = brown_texts(load_bytes(BROWN.name))
    return tuple(TaggedText(name, _sentences(text)) for name, text in texts)


def brown_texts(content: bytes) -> Iterator[tuple[str, str]]:
    """Yield the name of each text of the corpus's archive, and the text as ``word/tag word/tag``."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        for name in sorted(filter(_TEXT.fullmatch, archive.namelist())):
            yield name[-4:], archive.read(name).decode("latin-1")


def _sentences(text: str) -> tuple[TaggedSentence, ...]:
    """Read a text, a sentence a line."""
    return tuple(_sentence(line.split()) for line in text.splitlines() if line.strip())


def _sentence(tokens: list[str]) -> TaggedSentence:
    pairs = [token.rpartition("/") for token in tokens]
    return TaggedSentence(
        tuple(word for word, _, _ in pairs),
        tuple(_NUMBERS[universal_tag(tag)] for _, _, tag in pairs),
    )


def texts_of_part(texts: Iterable[TaggedText], part: str) -> list[TaggedText]:
    """Return the texts of a part: `TRAIN`, `VALIDATION` or `TEST`; none is in two of them."""
    return [text for i, text in enumerate(texts) if _PARTS.get(i % 10, TRAIN) == part]


def sentences_of_part(texts: Iterable[TaggedText], part: str) -> list[TaggedSentence]:
    """Return the sentences of all texts of a part."""
    return [sentence for text in texts_of_part(texts, part) for sentence in text.sentences]
