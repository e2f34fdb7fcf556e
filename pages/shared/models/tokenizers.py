"""Tokenizers of the pages: the book's, loaded once for all, and a visitor's own, shared with nobody."""

import hashlib
import zlib
from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.tokenization.book_statistics import BookStatistics, load_book_tokenizer
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.gpt import GPT_2, GPT_4O, RankedTokenizer, load_ranked_tokenizer
from lm_core.text.tokenizers.strangers import StrangersTokenizer
from lm_core.text.tokenizers.tokenizer import Encoding, tokenize
from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.models.strangers_work import WORKERS
from pages.shared.turns import model_calls
from pages.shared.ui.kept import FOR_YOU_ALONE, KeptFile, forget, keep_file, uploaded_before
from pages.shared.ui.markdown import as_code, escaped
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.visitor import address, is_known

BOOK_BPE = "BPE of the book"
"""Name of the book's byte-pair encoding in rows and tables."""

CHATGPT, GPT2 = "ChatGPT (o200k)", "GPT-2"
PUBLISHED = {CHATGPT: GPT_4O, GPT2: GPT_2}
"""Published byte-pair encodings by their names in rows and tables."""

_KEPT, _REFUSED = "own_tokenizer", "own_tokenizer_refused"
_FILE = "own_tokenizer_file"
_LARGEST_MB = 5
_NAME = "Your file"


@st.cache_resource(max_entries=1, show_spinner=False)
def book_statistics() -> BookStatistics:
    """Return what was counted in the book.

    Raises ResultError if it is missing or of another version.
    """
    return BookStatistics.load()


@st.cache_resource(max_entries=1, show_spinner=False)
def book_tokenizer() -> BytePairTokenizer:
    """Return the byte-pair encoding of the book; raises ResultError if it is missing."""
    return load_book_tokenizer()


@st.cache_resource(max_entries=len(PUBLISHED), show_spinner=False)
def published_tokenizer(name: str) -> RankedTokenizer:
    """Return one of `PUBLISHED`; it takes up to 13 MB, once for all visitors.

    Raises TextError if it is missing or damaged.
    """
    with model_calls:
        return load_ranked_tokenizer(PUBLISHED[name])


@st.cache_resource(max_entries=2, show_spinner=False)
def words_of_the_book(pre_tokenizer: str) -> WordTokenizer:
    """Return the tokenizer whose vocabulary are the most frequent words of the book."""
    return book_statistics().tokenizer(pre_tokenizer)


class _Kept(NamedTuple):
    name: str
    sha256: str
    packed: bytes  # a tenth of the file


def _kept() -> _Kept | None:
    """Return the visitor's file, also if they dropped it before a reload."""
    if _KEPT not in st.session_state and is_known():
        file = uploaded_before(_FILE)
        st.session_state[_KEPT] = None if file is None else _packed(file)
    kept: _Kept | None = st.session_state.get(_KEPT)
    return kept


def _packed(file: KeptFile) -> _Kept:
    sha256 = hashlib.sha256(file.content).hexdigest()
    return _Kept(file.name, sha256, zlib.compress(file.content))


class OwnEncoding(NamedTuple):
    """A text by a visitor's tokenizer, under the name that it has in rows and tables."""

    name: str
    tokenizer: StrangersTokenizer
    encoding: Encoding


def own_encoding(text: str) -> OwnEncoding | None:
    """Return a text by the visitor's tokenizer, if there is one; where it fails, the page says why in its place."""
    kept = _kept()
    if kept is None:
        return None
    try:
        tokenizer = _read(kept.sha256, kept.packed)
        return OwnEncoding(_NAME, tokenizer, tokenize(tokenizer, text))
    except LMCoreError as error:
        show_error(error)
        return None


def own_tokenizer_upload() -> None:
    """Draw the place to drop a file; what it holds is on the page from the next run on."""
    with st.popover("tokenizer.json", icon=":material/upload_file:", key="own_tokenizer_panel"):
        st.markdown(
            "Drop the `tokenizer.json` of a model: BPE, WordPiece, Unigram or whole words, read by"
            " Hugging Face's library *tokenizers*. Tokens that a model puts around each text, such as"
            f" `[CLS]` or `<s>`, are left out. {FOR_YOU_ALONE}"
        )
        st.file_uploader(
            "A tokenizer.json", type="json", key=_FILE, max_upload_size=_LARGEST_MB, on_change=_take
        )
        if refused := st.session_state.get(_REFUSED):
            show_error(refused)
        if kept := _kept():
            st.button("Forget it", on_click=_forget, key="own_tokenizer_forget")
            with errors_in_place():
                tokenizer = _read(kept.sha256, kept.packed)
                st.markdown(
                    f"{as_code(kept.name)} is *{_NAME}* on these pages: {escaped(tokenizer.kind)},"
                    f" {len(tokenizer):,} symbols."
                )


def _take() -> None:
    uploaded = st.session_state[_FILE]
    if uploaded is None:
        return
    st.session_state.pop(_REFUSED, None)
    file = KeptFile(uploaded.name, uploaded.getvalue())
    packed = _packed(file)
    try:
        _read(packed.sha256, packed.packed)
    except LMCoreError as error:
        st.session_state[_REFUSED] = f"{file.name[:80]} was not taken: {error}"
        return
    st.session_state[_KEPT] = packed
    keep_file(_FILE, file)


def _forget() -> None:
    st.session_state[_KEPT] = None
    forget(_FILE)


@st.cache_resource(max_entries=4, show_spinner="Reading the tokenizer")
def _read(sha256: str, _packed: bytes) -> StrangersTokenizer:
    """Return the tokenizer of a file; a class that drops the same one shares it."""
    del sha256  # the key
    return StrangersTokenizer(zlib.decompress(_packed), WORKERS, address())
