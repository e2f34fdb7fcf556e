"""Merges applied to a text that they were not learned from."""

import streamlit as st

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import MergeHistory, merges_used, up_to
from lm_core.text.tokenizers.tokenizer import Encoding, Tokenizer, token_text, tokenize
from pages.shared import page
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.models import tokenizers
from pages.shared.ui.markdown import as_code

_UNSEEN = "The slowest newcomer knows the widow."
_UNSEEN_CHARACTERS = 500
ALL = "all"  # the end of the slider of merges applied


@page.fragment
def encode_unseen_text(history: MergeHistory, step: int) -> None:
    """Encode another text by the merges learned so far, one merge after another."""
    st.header("Now a text that it has not seen", anchor=False)
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        text = page.text("unseen", "Unseen text", _UNSEEN, max_chars=_UNSEEN_CHARACTERS)
    page.say_limits({"unseen": _UNSEEN_CHARACTERS})
    with right:
        tokenizers.own_tokenizer_upload()
    learned = history.after(step)
    used = merges_used(learned, text)
    applied = _merges_applied(len(used))
    known = up_to(learned, used[applied - 1] + 1 if applied else 0)
    name = f"Learned here, {step:,} {'merge' if step == 1 else 'merges'}"
    shipped: dict[str, Tokenizer] = {name: known, tokenizers.BOOK_BPE: tokenizers.book_tokenizer()}
    rows = [_row(name, shown, tokenize(shown, text)) for name, shown in shipped.items()]
    if own := tokenizers.own_encoding(text):
        rows.append(_row(*own))
    token_rows(rows, text, key="applied_rows")
    _explain_encoding(known, rows[0], rows[1], used, applied)


def _merges_applied(n_used: int) -> int:
    """Draw the slider, and return its value; its end has a name, and stays when more merges are learned."""
    if not n_used:
        return 0
    steps = [*range(n_used), ALL]
    if st.session_state.get("applied", ALL) not in steps:
        st.session_state["applied"] = ALL
    applied = page.pick("applied", "Merges applied", steps, ALL)
    return n_used if applied == ALL else int(applied)


def _row(name: str, tokenizer: Tokenizer, tokens: Encoding) -> TokenRow:
    unknown = f" · {tokens.n_unknown:,} unknown" if tokens.n_unknown else ""
    note = f"{number_of_tokens(len(tokens))} · {tokens.tokens_per_word:.2f} per word{unknown}"
    return TokenRow(name, note, tokenizer, tokens)


def _explain_encoding(
    tokenizer: BytePairTokenizer, learned: TokenRow, book: TokenRow, used: list[int], applied: int
) -> None:
    if not len(learned.encoding):
        st.info("Type a text to tokenize.")
        return
    sentences = [
        "Encoding repeats the merges in the order of learning, because a later one may join what an earlier one"
        f" has made. Of those learned so far, {len(used):,}"
        f" {'finds' if len(used) == 1 else 'find'} something to merge here."
    ]
    if applied:
        rank = used[applied - 1]
        left, right = (as_code(token_text(tokenizer, i)) for i in tokenizer.merges[rank])
        sentences.append(f"The last one applied is merge {rank + 1:,}, {left} + {right}.")
    sentences.append(
        f"That makes {number_of_tokens(len(learned.encoding))}; the"
        f" {len(tokenizers.book_tokenizer().merges):,} merges"
        f" of the book make {len(book.encoding):,} tokens."
    )
    if n := learned.encoding.n_unknown:
        missing = "1 character is" if n == 1 else f"{n:,} characters are"
        sentences.append(
            f"{missing} not in the text above and can only be read as `<unk>`. Start from bytes,"
            " and nothing is ever unknown, because every text is made of the same 256 bytes."
        )
    st.markdown(" ".join(sentences))
