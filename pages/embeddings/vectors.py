"""The word vectors that come with the lab, and which of them, and which word, is shown."""

from pathlib import Path
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from torch import Tensor

from lm_core.analysis.word_space import WordSpace
from lm_core.errors import CheckpointError, TextError
from lm_core.experiments.word2vec.recipes import SNAPSHOT_SHARES, SNAPSHOT_WORDS, snapshot_name
from lm_core.models.embeddings import WordVectors
from lm_core.models.vector_files import VectorFile
from lm_core.text import word_queries
from lm_core.text.what_was_read import words_as_read
from lm_core.text.word_vocabulary import WORDS, WordVocabulary
from lm_core.training import checkpoints
from lm_core.training.checkpoints import CheckpointMeta, list_checkpoints, load_shipped
from pages.embeddings.own_vectors import OWN, ask_for_vectors, own_meta, own_vectors
from pages.shared import page
from pages.shared.models.language_models import model_named
from pages.shared.ui.markdown import escaped
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import say_limits
from pages.shared.ui.what_was_read import show_what_was_changed

INPUT, OUTPUT = "input", "output"
TABLES = (INPUT, OUTPUT)
_DEFAULT = "library-skip-gram"

_AMONG = {"1,500": 1_500, "5,000": 5_000, "10,000": 10_000, "all": None}
MOST_TYPED = 10_000
"""Characters that a field accepts; a list of words that is too long is answered with a message."""

_FIELDS = (
    *("word", "other", "words", "a", "b", "c", "left", "right", "low", "high"),
    *("target_1", "target_2", "attribute_1", "attribute_2"),
)
_NEXT = "next_of_"
_WORD_FIELDS = (("word", "Word", "king"), ("other", "Compared with", "queen"))


class Snapshot(NamedTuple):
    """The most frequent words' vectors as of a share of the training."""

    share: float
    space: WordSpace


@st.cache_resource(max_entries=1, show_spinner=False)
def models() -> dict[str, CheckpointMeta]:
    """Return the provenances of the finished word vectors by name, the default first.

    Raises CheckpointError if there are none.
    """
    folder = checkpoints.SHIPPED
    found = [m for m in list_checkpoints(folder) if m.vocabulary == WORDS and not m.snapshot_of]
    if not found:
        raise CheckpointError(
            f"no word vectors in {folder}: make them with: python -m lm_core experiment word2vec --out {folder}"
        )
    found.sort(key=lambda meta: (meta.name != _DEFAULT, meta.name))
    return {meta.name: meta for meta in found}


def folder_of(name: str) -> Path:
    """Return the folder of a model's checkpoint."""
    return checkpoints.SHIPPED / name


def is_skip_gram(meta: CheckpointMeta) -> bool:
    """Return whether the vectors come from skip-gram; the others come from CBOW."""
    return meta.recipe.get("method") == "skip-gram"


def space_of(meta: CheckpointMeta, table: str, *, subtract_mean: bool = False) -> WordSpace:
    """Return one of a model's two embeddings; it is shared by all visitors and never changed."""
    return _space(meta.name, meta.weights_sha256, table, subtract_mean)


def _space(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> WordSpace:
    vectors = _vectors(name, weights_sha256)
    seen = _seen_from(name, weights_sha256, table, subtract_mean)
    return WordSpace(vectors.vocabulary, getattr(vectors, table).detach(), *seen)


def available() -> dict[str, CheckpointMeta]:
    """Return the provenances of all vectors that this visitor can choose, the default first."""
    own = own_meta()
    return models() | ({own.name: own} if own else {})


def is_own(meta: CheckpointMeta) -> bool:
    """Return whether the vectors are from a visitor's file: they have one embedding, and no training here."""
    return meta.name == OWN


def tables_of(meta: CheckpointMeta) -> tuple[str, ...]:
    """Return which embeddings a model has."""
    return TABLES[:1] if is_own(meta) else TABLES


def _vectors(name: str, weights_sha256: str) -> WordVectors | VectorFile:
    own = own_vectors() if name == OWN else None
    return own or _shipped_vectors(name, weights_sha256)


@st.cache_resource(max_entries=2, show_spinner=False)
def _shipped_vectors(name: str, weights_sha256: str) -> WordVectors:
    found: WordVectors = model_named(name, weights_sha256).model
    return found


@st.cache_resource(max_entries=16, show_spinner=False)
def _seen_from(
    name: str, weights_sha256: str, table: str, subtract_mean: bool
) -> tuple[Tensor, Tensor]:
    """Return 0 or the mean, and all vectors' lengths from there: a hundredth of what the vectors take.

    One part of the page compares both embeddings with and without the mean, in each of its runs.
    """
    vectors = _vectors(name, weights_sha256)
    numbers = getattr(vectors, table).detach()
    space = WordSpace.of(vectors.vocabulary, numbers, subtract_mean=subtract_mean)
    return space.origin, space.lengths


def mean_cosine(meta: CheckpointMeta, table: str, *, subtract_mean: bool) -> float:
    """Return the mean cosine of two random words in one of a model's embeddings."""
    return _mean_cosine(meta.name, meta.weights_sha256, table, subtract_mean)


@st.cache_data(max_entries=16, show_spinner=False)
def _mean_cosine(name: str, weights_sha256: str, table: str, subtract_mean: bool) -> float:
    return _space(name, weights_sha256, table, subtract_mean).mean_cosine()


def snapshots_of(meta: CheckpointMeta, table: str) -> list[Snapshot]:
    """Return the snapshots of a training, the finished model's frequent words last."""
    kept = _snapshots(meta.name, meta.weights_sha256, table)
    return [*kept, Snapshot(1.0, space_of(meta, table).most_frequent(SNAPSHOT_WORDS))]


@st.cache_resource(max_entries=4, show_spinner="Opening the snapshots")
def _snapshots(name: str, weights_sha256: str, table: str) -> list[Snapshot]:
    del weights_sha256
    kept = []
    for share in SNAPSHOT_SHARES:
        snapshot = snapshot_name(name, share)
        if folder_of(snapshot).is_dir():
            model = load_shipped(snapshot).model
            space = WordSpace.of(model.vocabulary, getattr(model, table).detach())
            kept.append(Snapshot(share, space))
    return kept


# The controls above the pictures --------------------------------------------------------------


class Choice(NamedTuple):
    """What the controls above the pictures say; words by their ids.

    Where no word is asked for, `word` is that of id 0.
    """

    meta: CheckpointMeta
    vocabulary: WordVocabulary
    word: int
    other: int | None
    among: int | None
    subtract_mean: bool

    def space(self, table: str = INPUT) -> WordSpace:
        """Return one of the model's embeddings, with the mean subtracted if the switch says so."""
        return space_of(self.meta, table, subtract_mean=self.subtract_mean)

    @property
    def name(self) -> str:
        """The word itself."""
        return self.vocabulary.words[self.word]

    @property
    def other_name(self) -> str:
        """The word that it is compared with; empty where there is none."""
        return "" if self.other is None else self.vocabulary.words[self.other]

    @property
    def searched(self) -> int:
        """Number of words among which neighbours are searched."""
        return min(self.among or len(self.vocabulary), len(self.vocabulary))


def choose(*, has_words: bool, compares: bool = True) -> tuple[Choice, DeltaGenerator]:
    """Draw the controls side by side; a word without a vector stops the page with a message.

    Parameters
    ----------
    has_words : bool, whether a word is asked for; else the choice has none
    compares : bool, whether another word, to compare it with, is asked for too

    Returns
    -------
    Choice
    DeltaGenerator
        Behind *More*: a place for rarer controls.
    """
    for name in ("word", "other"):
        if (clicked := st.session_state.pop(f"{_NEXT}{name}", None)) is not None:
            st.session_state[name] = clicked
    say_limits(dict.fromkeys(_FIELDS, MOST_TYPED))
    fields = _WORD_FIELDS[: 1 + compares] if has_words else ()
    typed = {name: _choose_word(name, label, start) for name, label, start in fields}
    more = st.popover("More", icon=":material/tune:")
    offered = available()
    with more:
        name = page.choice(
            "model", "Vectors", list(offered), format_func=lambda name: offered[name].title
        )
        ask_for_vectors()
        among = page.control(
            st.selectbox,
            "among",
            "Among the most frequent",
            list(_AMONG),
            2,
            help="Vectors of rare words were learned from a few occurrences, so they are less reliable.",
        )
        subtract_mean = page.switch(
            "subtract_mean",
            "Subtract the mean",
            help="Subtracts the mean of all vectors from each of them before cosines are computed,"
            " because what all have in common says nothing about any of them.",
        )
    meta = offered[name]
    vocabulary = space_of(meta, INPUT).vocabulary
    found = {name: _read_one(name, word, meta, vocabulary) for name, word in typed.items()}
    word, other = found.get("word"), found.get("other")
    if word is None:  # what is wrong with it is said; the picture is that of the first word
        word = vocabulary.ids.get(_WORD_FIELDS[0][2], 0)
    return Choice(meta, vocabulary, word, other, _AMONG[among], subtract_mean), more


def _choose_word(name: str, label: str, start: str) -> str:
    """Draw a field; its word is kept while another part of the page is shown."""
    return page.text(name, label, start, max_chars=MOST_TYPED, persist_state="page", width=180)  # fmt: skip


def choose_table(meta: CheckpointMeta, name: str = "embedding") -> str:
    """Draw which of the two embeddings is shown, and return it; of a visitor's file there is one."""
    if is_own(meta):
        return INPUT
    return page.segments(name, "Embedding", TABLES)


def _read_one(
    name: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary
) -> int | None:
    """Return a word's id, or say what is wrong with it and offer what was meant."""
    found = read_or_say(typed, meta, vocabulary, name=name)
    return found.known[0] if found and found.known else None


def read_or_say(
    typed: str,
    meta: CheckpointMeta,
    vocabulary: WordVocabulary,
    *,
    name: str,
    fewest: int = 1,
    most: int = 1,
) -> word_queries.WordQuery | None:
    """Return the words that were typed; say what cannot be read, and of unknown ones what is near.

    Parameters
    ----------
    name : str, of the control that they were typed into: a click on a suggestion writes there
    """
    try:
        found = word_queries.parse_words(typed, vocabulary, fewest=fewest, most=most)
    except TextError as error:
        show_error(error, icon=":material/abc:")
        return None
    words = (*(vocabulary.words[i] for i in found.known), *found.unknown)
    show_what_was_changed(words_as_read(typed, words), name)
    for word in found.unknown:
        _say_unknown(word, typed, meta, vocabulary, name)
    return found


def _say_unknown(
    word: str, typed: str, meta: CheckpointMeta, vocabulary: WordVocabulary, name: str
) -> None:
    shown = word if len(word) <= 30 else f"{word[:30]}…"
    least = meta.recipe.get("minimum_count", 1)
    alike = _alike(word, meta.weights_sha256, vocabulary)
    why = (
        "your file does not hold it, or not among its first words."
        if is_own(meta)
        else f"it occurs fewer than {least} times in the training text."
    )
    st.error(
        f"**{escaped(shown)}** has no vector: {why}"
        + (" Similar spellings:" if alike else " No word has a similar spelling."),
        icon=":material/search_off:",
    )
    with st.container(horizontal=True):
        for other in alike:
            st.button(
                escaped(other),
                key=f"instead_{name}_{word}_{other}",
                on_click=_write,
                args=(name, word_queries.with_word_replaced(typed, word, other, vocabulary.find)),
            )


@st.cache_data(max_entries=256, show_spinner=False)
def _alike(word: str, weights_sha256: str, _vocabulary: WordVocabulary) -> list[str]:
    del weights_sha256  # part of the key, in place of the vocabulary
    return word_queries.nearest_spellings(word, _vocabulary.words)


def _write(name: str, text: str) -> None:
    st.session_state[name] = text


def follow_click(chart: str, picked: str | None, name: str) -> None:
    """Write a word that was just clicked in a chart into a control, and run the page again."""
    key = f"followed_{chart}"
    is_new = picked is not None and picked != st.session_state.get(key)
    st.session_state[key] = picked
    if is_new and picked != st.session_state.get(name):
        st.session_state[f"{_NEXT}{name}"] = picked
        st.rerun()
