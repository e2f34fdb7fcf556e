"""The tokenizers of the page, by their names."""

from lm_core.text.character_vocabulary import FULL, SOURCE
from lm_core.text.tokenizers.characters import ByteTokenizer, CharacterTokenizer
from lm_core.text.tokenizers.tokenizer import Tokenizer
from lm_core.text.tokenizers.words import WordTokenizer
from pages.shared.tokenizers import BOOK_BPE, book_tokenizer, own_tokenizer, words_of_the_book

WORDS = {"Whitespace": "whitespace", "Basic English": "basic english"}
"""Pre-tokenizers by their name on the page."""

NAMES = (*WORDS, "Characters, source", "Characters, full", "Bytes", BOOK_BPE)
_UNITS = {
    "Characters, source": CharacterTokenizer(SOURCE),
    "Characters, full": CharacterTokenizer(FULL),
    "Bytes": ByteTokenizer(),
}


def tokenizers(names: list[str], text: str, *, by_the_book: bool) -> dict[str, Tokenizer]:
    """Return the tokenizers of these names, and the visitor's own behind them.

    Parameters
    ----------
    names : list of str
        Of `NAMES`.
    text : str
        Whose words are numbered, unless the book's are.
    by_the_book : bool
    """
    found: dict[str, Tokenizer] = {}
    for name in NAMES:
        if name not in names:
            continue
        if name in WORDS:
            pre_tokenizer = WORDS[name]
            found[name] = (
                words_of_the_book(pre_tokenizer)
                if by_the_book
                else WordTokenizer.fit(text, pre_tokenizer, special_tokens=())
            )
        else:
            found[name] = _UNITS.get(name) or book_tokenizer()
    if own := own_tokenizer():
        found[own[0]] = own[1]
    return found
