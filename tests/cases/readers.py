"""What reads each kind, as the pages do: the words in which it is accepted or refused."""

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from lm_core.classroom.questions import parse_question
from lm_core.errors import LMCoreError
from lm_core.experiments.fine_tuning import own_labels
from lm_core.experiments.n_grams import documents
from lm_core.experiments.neural_language_model import sentences
from lm_core.experiments.word2vec.short_text import short_text
from lm_core.models.vector_files import read_vectors
from lm_core.text.own_text import read_own_text
from lm_core.text.pretrained_folder import find_files
from lm_core.text.pretrained_vocabulary import read_vocabulary
from lm_core.text.spreadsheets import rows_of
from lm_core.text.tokenizers.hugging_face import read_tokenizer_json
from lm_core.text.what_was_read import WhatWasRead
from lm_core.training.pretrained import load_pretrained, pretrained_meta
from lm_core.training.pretrained import what_was_read as what_was_read_of_a_folder
from pages.masked_language_model.subject import read_sentence, vocabulary
from pages.shared.clustering.uploaded_table import read_table
from pages.shared.lessons.brought import read_brought_lesson

Brought = Any  # bytes of a file, a text that is pasted, or a function that writes a folder


class Outcome(NamedTuple):
    """Whether it was taken, and what the visitor is told."""

    is_read: bool
    words: str


def outcome(kind: str, brought: Brought) -> Outcome:
    """Return what happens to something of a kind."""
    try:
        read = READERS[kind](brought)
    except LMCoreError as error:
        return Outcome(False, str(error))
    return Outcome(True, " ".join([read.line, *read.notes]))


def _table(brought: bytes | str) -> WhatWasRead:
    def bounded(_: str, content: bytes, **settings: Any) -> Any:
        return rows_of(content, **settings)

    return read_table(brought, read_bounded=bounded).read


def _text(brought: bytes | str) -> WhatWasRead:
    own = read_own_text(brought, shortest=1)
    kind = "a pasted text" if own.encoding == "none" else f"a text in {own.encoding}"
    facts = (kind, f"it begins “{own.text[:24].strip()}”")
    return WhatWasRead(
        facts, (*(f"{change[0].upper()}{change[1:]}." for change in own.changes), *own.doubts)
    )


def _words(brought: bytes | str) -> WhatWasRead:
    short = short_text(read_own_text(brought, shortest=1).text, 1)
    first = ", ".join(short.vocabulary.words[:4])
    return WhatWasRead((f"{short.n_words:,} words", f"the most frequent {first}"))


def _tokenizer(brought: bytes) -> WhatWasRead:
    return read_tokenizer_json(brought).spelling.read


def _lesson(brought: bytes) -> WhatWasRead:
    return read_brought_lesson(brought).read


def _vectors(brought: bytes) -> WhatWasRead:
    return read_vectors(brought).read


def _folder(write: Callable[[Path], Path]) -> WhatWasRead:
    with tempfile.TemporaryDirectory() as place:
        files = find_files(write(Path(place) / "model"))
        pretrained_meta(files)
        load_pretrained(files)
        read_vocabulary(files)
        return what_was_read_of_a_folder(files)


def _question(brought: str) -> WhatWasRead:
    found = parse_question(brought)
    options = (f"answers {' / '.join(found.options)}",) if found.options else ()
    right = () if found.right is None else (f"right is {found.right}",)
    return WhatWasRead((f"a {found.kind}", f"“{found.text}”", *options, *right))


def _gap(brought: str) -> WhatWasRead:
    return read_sentence(brought)[1]


def _labelled(brought: str) -> WhatWasRead:
    own_labels.read_sentences(brought, vocabulary())
    return own_labels.what_was_read(brought, vocabulary())


def _sentences(brought: str) -> WhatWasRead:
    sentences.read_sentences(brought)
    return sentences.what_was_read(brought)


def _documents(brought: str) -> WhatWasRead:
    counted = documents.Documents.read([documents.Document("mine", brought)], of_words=True)
    return documents.what_was_read(counted)


READERS: dict[str, Callable[[Brought], WhatWasRead]] = {
    "tables": _table,
    "texts": _text,
    "words": _words,
    "tokenizers": _tokenizer,
    "lessons": _lesson,
    "vectors": _vectors,
    "folders": _folder,
    "questions": _question,
    "gaps": _gap,
    "labelled": _labelled,
    "sentences": _sentences,
    "documents": _documents,
}
