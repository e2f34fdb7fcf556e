"""A sentence in the tokens of a vocabulary of the book."""

from lm_core.text.tokenizers.byte_pair_training import VocabularySize, up_to
from lm_core.text.tokenizers.tokenizer import tokenize
from pages.shared import page
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.models.tokenizers import book_tokenizer

_TEXT = "It was in July, eighteen hundred and five, and the countess was expecting visitors."
_LONGEST = 300


def draw_sentence(now: VocabularySize, *, is_masked: bool) -> None:
    """Draw a sentence in the tokens of a vocabulary; how many a word needs waits with the answer."""
    text = page.text("sample", "A sentence in these tokens", _TEXT, max_chars=_LONGEST)
    page.say_limits({"sample": _LONGEST})
    tokenizer = up_to(book_tokenizer(), now.n_merges)
    tokens = tokenize(tokenizer, text)
    note = (
        ""
        if is_masked
        else f"{number_of_tokens(len(tokens))} · {tokens.tokens_per_word:.2f} per word"
    )
    row = TokenRow(f"{now.n_merges:,} merges", note, tokenizer, tokens)
    token_rows([row], text, key="size_rows", hint="Point at a token for its id.")
