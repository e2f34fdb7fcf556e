"""Merges learned from the visitor's text, one at a time, and applied to a text that it has not seen."""

import zlib

import streamlit as st

from lm_core.text.tokenizers.byte_pair import BytePairTokenizer
from lm_core.text.tokenizers.byte_pair_training import (
    MergeHistory,
    PairCounts,
    merges_used,
    places_of_pair,
    train_byte_pair,
    up_to,
)
from lm_core.text.tokenizers.merges import Pair
from lm_core.text.tokenizers.tokenizer import Encoding, Tokenizer, token_text, tokenize
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.charts.tokens import masked_pair_frame, pair_chart, pair_frame
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.models import tokenizers
from pages.shared.turns import fragment
from pages.shared.ui.figures import show_chart
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import Prediction, predict_then_reveal, show_verdict
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import TEXT_CHARACTERS, live_text, say_limits

TEXT = (
    "The newest is the lowest and the widest. The newer one is lower, the wider one is slower."
    " How slow is the slowest? Now we know."
)
_BASES = {"Characters": "characters", "Bytes": "bytes"}
ROW = "Your text"
_PAIRS_SHOWN = 10
_OPTIONS = 4
_GUESSED = "first_merge_about"
_UNSEEN = "The slowest newcomer knows the widow."
_UNSEEN_CHARACTERS = 500
ALL = "all"
"""The end of the slider of merges applied."""
_START = 10  # merges: the first whole words are there, and no other pair ties with the next one


@fragment
def learn_from_a_text() -> None:
    """Draw the text, the merges learned from it, and those merges applied to another text."""
    with st.container(horizontal=True, key="learned_controls"):
        with st.popover("Your text", icon=":material/edit:"):
            text = live_text(
                "learned_text", "Text to learn from", TEXT, most=TEXT_CHARACTERS, height=160
            )
        with st.popover("More", icon=":material/tune:"):
            base = page.segments(
                "base",
                "Start from",
                list(_BASES),
                "Characters",
                help="From characters, it begins with those of the text, so all others are <unk>."
                " From bytes, it begins with all 256, each numbered by its value.",
            )
            guessing = page.switch("guess", "Guess before each merge")
    history = _history(text, _BASES[base])
    if not len(history):
        st.info(
            "No pair of neighbours appears twice in this text, so there is nothing to merge: type more."
            if text.strip()
            else "The text is empty: type a few similar words."
        )
        return
    page.playback_bar(
        "merge",
        len(history) + 1,
        lambda step: _draw(history, step, guessing),
        label="Merges",
        start=min(_START, len(history)),
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _history(text: str, base: str) -> MergeHistory:
    return train_byte_pair(text, base=base)


@st.cache_data(max_entries=256, show_spinner=False)
def _pairs(text: str, base: str, step: int) -> PairCounts:
    return _history(text, base).pair_counts(step, _PAIRS_SHOWN)


def _draw(history: MergeHistory, step: int, guessing: bool) -> None:
    """Draw the tokens of the text after so many merges, and which pair is next."""
    tokenizer = history.after(step)
    tokens = tokenize(tokenizer, history.text)
    done = f"after {step:,} {'merge' if step == 1 else 'merges'}"
    note = (
        f"{done}: {number_of_tokens(len(tokens))} · {history.sizes[step]:,} symbols"
        f" · {tokens.tokens_per_word:.2f} per word"
    )
    pairs = _pairs(history.text, tokenizer.base, step)
    screen = first_screen(picture=3.4, beside=1.0)
    with screen.beside:
        is_told, guess = _ask_and_tell(history, pairs, step, guessing)
    _explain_step(screen, history, step)
    next_pair = pairs.most_frequent[0][0] if is_told and step < len(history) else None
    with screen.picture:
        st.markdown(f"**{_so_far(history, step, len(tokens))}**")
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            paired = places_of_pair(tokenizer, history.text, next_pair) if next_pair else []
            row = TokenRow(ROW, note, tokenizer, tokens, paired=tuple(paired))
            token_rows([row], history.text, key="learned_rows", hint=_hint(history, step, is_told))
        with right:
            _counts(history, pairs, step, is_told, guess)
    _unseen_text(history, step)


def _ask_and_tell(
    history: MergeHistory, pairs: PairCounts, step: int, guessing: bool
) -> tuple[bool, str | None]:
    """Ask for the next pair, or say which it is; return whether it may be seen, and the guess."""
    prediction = _ask(history, pairs, step, guessing)
    if prediction is None:
        st.markdown(_finding(history, pairs, step))
        return True, None
    if prediction.revealed:
        right = _pair(history, pairs.most_frequent[0][0])
        reason = _finding(history, pairs, step)
        show_verdict(prediction, right=right, reason=reason)
    return prediction.revealed, prediction.guess


def _so_far(history: MergeHistory, step: int, n_tokens: int) -> str:
    start = number_of_tokens(len(history.after(0).encode(history.text)))
    if not step:
        return f"Before the first merge: {start}"
    return (
        f"{step:,} {'merge' if step == 1 else 'merges'} made {start} into {n_tokens:,}, the last one"
        f" {_pair(history, history.tokenizer.merges[step - 1])}"
    )


def _hint(history: MergeHistory, step: int, is_told: bool) -> str:
    """Return what is said below the text while nothing is pointed at: what is framed, if anything is."""
    if step == len(history):
        return "No pair appears twice any more, so nothing is merged next."
    return "Framed: the pair merged next." if is_told else "Which pair is merged next?"


def _explain_step(screen: page.FirstScreen, history: MergeHistory, step: int) -> None:
    if step:
        times = history.counts[step - 1]
        page.note_beside(
            screen,
            f"Merge {step:,} was found {times:,} times. Its two symbols have become one, so all"
            " pairs are counted again. Frequent words become one token, because their pairs win"
            " early; rare ones stay in pieces.",
        )


def _ask(history: MergeHistory, pairs: PairCounts, step: int, guessing: bool) -> Prediction | None:
    """Ask which pair is next, once, or before each merge where the class wants it; None if not asked."""
    if len(pairs.most_frequent) < 2 or step == len(history):
        return None
    options = sorted(_pair(history, pair) for pair, _ in pairs.most_frequent[:_OPTIONS])
    question, about = "Which pair is merged next?", f"{step}_{_fingerprint(history)}"
    if guessing:
        return predict_then_reveal(f"merge_{about}", question, options)
    if st.session_state.get(_GUESSED, about) != about:
        return None  # what was guessed was about another step or text
    prediction = predict_then_reveal("first_merge", question, options)
    if prediction.revealed:
        st.session_state[_GUESSED] = about
    return prediction


def _fingerprint(history: MergeHistory) -> int:
    written = f"{history.tokenizer.base} {history.text}"
    return zlib.crc32(written.encode("utf-8", "surrogatepass"))


def _counts(
    history: MergeHistory, pairs: PairCounts, step: int, is_told: bool, guess: str | None
) -> None:
    """Draw the pairs by their counts, the one that is merged next marked; or the pairs alone."""
    rows = [
        (_plain(history, a), _plain(history, b), a, b, count)
        for (a, b), count in pairs.most_frequent
    ]
    is_over = step == len(history)
    frame = pair_frame(rows, is_over=is_over) if is_told else masked_pair_frame(rows)
    asked = "Pairs of neighbours: how often does each one appear?"
    alt = _finding(history, pairs, step).replace("*", "").replace("`", "") if is_told else asked
    guessed = [_pair(history, pair) for pair, _ in pairs.most_frequent]
    rank = guessed.index(guess) + 1 if is_told and guess in guessed else None
    show_chart(
        pair_chart(frame, most=max(history.counts[0], 2), rows=_PAIRS_SHOWN, guess=rank),
        frame,
        key="pair_counts",
        alt=alt,
        name=f"pairs-{step}",
    )


def _finding(history: MergeHistory, pairs: PairCounts, step: int) -> str:
    if not pairs.most_frequent:
        return "**Every word is one token.** No neighbours are left."
    (pair, count), n_tied = pairs.most_frequent[0], pairs.n_tied
    written = _pair(history, pair)
    if step == len(history):
        return f"**The end.** The most frequent pair, {written}, appears only once."
    if n_tied == 1:
        return (
            f"**Next: {written}**, {count:,} times, more than any other of"
            f" {pairs.n_different:,} pairs."
        )
    return (
        f"**Next: {written}.** {n_tied:,} pairs tie at {count:,}; rule: the smaller ids win, the"
        f" left one first. Here they are {pair[0]} and {pair[1]}. Older symbols have smaller ids,"
        " so their pairs come first."
    )


def _pair(history: MergeHistory, pair: Pair) -> str:
    return f"{_read(history, pair[0])} + {_read(history, pair[1])}"


def _read(history: MergeHistory, token_id: int) -> str:
    return as_code(token_text(history.tokenizer, token_id))


def _plain(history: MergeHistory, token_id: int) -> str:
    return visible(token_text(history.tokenizer, token_id))[:16]


# Another text ---------------------------------------------------------------------------------
@fragment
def _unseen_text(history: MergeHistory, step: int) -> None:
    """Encode another text by the merges learned so far, one merge after another."""
    st.header("Now a text that it has not seen", anchor=False)
    left, right = st.columns([3, 1], gap="medium", vertical_alignment="bottom")
    with left:
        text = page.text("unseen", "Unseen text", _UNSEEN, max_chars=_UNSEEN_CHARACTERS)
    say_limits({"unseen": _UNSEEN_CHARACTERS})
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
        f"Encoding repeats the merges in the order of learning. Of those learned so far, {len(used):,}"
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
