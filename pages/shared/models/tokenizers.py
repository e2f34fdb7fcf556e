"""Tokenizers of the pages: the book's, loaded once for all, and a visitor's own, shared with nobody."""

from typing import NamedTuple

import streamlit as st

from lm_core.errors import LMCoreError
from lm_core.experiments.tokenization.book_statistics import BookStatistics, load_book_tokenizer
from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.gpt import GPT_2, GPT_4O, RankedTokenizer, load_ranked_tokenizer
from lm_core.text.tokenizers.hugging_face import MOST_BYTES
from lm_core.text.tokenizers.strangers import StrangersTokenizer
from lm_core.text.tokenizers.tokenizer import Encoding, tokenize
from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.models.strangers_work import WORKERS
from pages.shared.turns import model_calls
from pages.shared.ui.kept import FOR_YOU_ALONE
from pages.shared.ui.markdown import as_code
from pages.shared.ui.messages import errors_in_place, show_error
from pages.shared.ui.most_megabytes import most_megabytes
from pages.shared.ui.own_file import OwnFile, PackedFile
from pages.shared.ui.visitor import address
from pages.shared.ui.what_was_read import show_what_was_read

BOOK_BPE = "BPE of the book"  # name of the book's byte-pair encoding in rows and tables

CHATGPT, GPT2 = "ChatGPT (o200k)", "GPT-2"
PUBLISHED = {CHATGPT: GPT_4O, GPT2: GPT_2}
"""Published byte-pair encodings by their names in rows and tables."""

_NAME = "Your file"


@st.cache_resource(max_entries=1, show_spinner=False)
def book_statistics() -> BookStatistics:
    """Return what was counted in the book; raises ResultError if it is missing or of another version."""
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


class OwnEncoding(NamedTuple):
    """A text by a visitor's tokenizer, under the name that it has in rows and tables."""

    name: str
    tokenizer: StrangersTokenizer
    encoding: Encoding


def own_encoding(text: str) -> OwnEncoding | None:
    """Return a text by the visitor's tokenizer, if there is one; where it fails, the page says why in its place."""
    kept = _OWN.kept()
    if kept is None:
        return None
    try:
        tokenizer = _read(kept)
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
        if kept := _OWN.draw("A tokenizer.json", most_megabytes(MOST_BYTES)):
            with errors_in_place():
                tokenizer = _read(kept)
                st.markdown(f"{as_code(kept.name)} is *{_NAME}* on these pages.")
                show_what_was_read(tokenizer.spelling.read, "own_tokenizer", is_folded=False)


def _read(file: PackedFile) -> StrangersTokenizer:
    return _read_once(file.sha256, file)


@st.cache_resource(max_entries=4, show_spinner="Reading the tokenizer")
def _read_once(sha256: str, _file: PackedFile) -> StrangersTokenizer:
    """Return the tokenizer of a file; a class that drops the same one shares it."""
    del sha256  # the key
    return StrangersTokenizer(_file.content, WORKERS, address())


_OWN = OwnFile("own_tokenizer", _read)
