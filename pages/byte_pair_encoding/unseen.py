"""What was learned, at work on a text that it was not learned from, beside other tokenizers."""

import streamlit as st

from lm_core.text.tokenizers.byte_pair_training import MergeHistory, merges_used, up_to
from lm_core.text.tokenizers.tokenizer import Tokenizer, token_text, tokenize
from pages.shared.components.token_rows import TokenRow, number_of_tokens, token_rows
from pages.shared.tokenizers import BOOK_BPE, book_tokenizer, own_tokenizer, own_tokenizer_upload
from pages.shared.ui.controls import control
from pages.shared.ui.text_input import as_code, say_limits

_UNSEEN = "The slowest newcomer knows the widow."
_MOST = 500


@st.fragment
def unseen_text(learning: MergeHistory, step: int) -> None:
    """Encode another text by the merges learned so far, one merge after another."""
    st.subheader("Now a text that it has not seen", anchor=False)
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        text = control(st.text_input, "unseen", "Unseen text", _UNSEEN, max_chars=_MOST)
    say_limits({"unseen": _MOST})
    with right:
        own_tokenizer_upload()
    learned = learning.after(step)
    used = merges_used(learned, text)
    applied = len(used)
    if used:
        applied = control(st.slider, "applied", "Merges applied", 0, len(used), len(used))
    known = up_to(learned, used[applied - 1] + 1 if applied else 0)
    name = f"Learned here, {step:,} {'merge' if step == 1 else 'merges'}"
    rows = [_row(name, known, text), _row(BOOK_BPE, book_tokenizer(), text)]
    if own := own_tokenizer():
        rows.append(_row(*own, text))
    token_rows(rows, text, key="applied_rows")
    _explain(rows[0], rows[1], used, applied)


def _row(name: str, tokenizer: Tokenizer, text: str) -> TokenRow:
    tokens = tokenize(tokenizer, text)
    unknown = f" · {tokens.n_unknown:,} unknown" if tokens.n_unknown else ""
    note = f"{number_of_tokens(len(tokens))} · {tokens.tokens_per_word:.2f} a word{unknown}"
    return TokenRow(name, note, tokenizer, tokens)


def _explain(learned: TokenRow, book: TokenRow, used: list[int], applied: int) -> None:
    if not len(learned.encoding):
        st.info("Type something to be cut.")
        return
    tokenizer = learned.tokenizer
    sentences = [
        f"Encoding repeats the merges in the order of learning: of those learned so far, {len(used):,}"
        f" {'finds' if len(used) == 1 else 'find'} something to merge here."
    ]
    if applied:
        rank = used[applied - 1]
        left, right = (as_code(token_text(tokenizer, i)) for i in tokenizer.merges[rank])
        sentences.append(f"The last one applied is merge {rank + 1:,}, {left} + {right}.")
    sentences.append(
        f"That makes {number_of_tokens(len(learned.encoding))}; the {len(book.tokenizer.merges):,} merges"
        f" of the book make {len(book.encoding):,}."
    )
    if n := learned.encoding.n_unknown:
        missing = "1 character does" if n == 1 else f"{n:,} characters do"
        sentences.append(
            f"{missing} not stand in the text above and can only be read as `<unk>`: start from"
            " bytes, and nothing is ever unknown."
        )
    st.markdown(" ".join(sentences))
