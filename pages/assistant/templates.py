"""What an assistant reads: the same question as each template writes it, token by token."""

from typing import NamedTuple

import streamlit as st

from lm_core.experiments.assistant.templates import CHATML, TEMPLATES, TokenizerWithSpecials
from lm_core.text.tokenizers.tokenizer import Encoding, tokenize
from pages.assistant.asked import Model, continuation, metas, title_of
from pages.shared import page
from pages.shared.components.texts import TokenRow, number_of_tokens, token_rows
from pages.shared.models.tokenizers import GPT2, published_tokenizer
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.markdown import as_code, escaped
from pages.shared.ui.text_input import checked_text, read_or_keep, say_limits

_QUESTION, _SYSTEM = "What is the French for dog?", "You are a patient teacher."
_MOST = 300
_END = "<|endoftext|>"
"""GPT-2's own special token, the last of its 50,257."""
_ANSWERS = {"1": 1, "3": 3, "7": 7}


class Message(NamedTuple):
    """What is asked, how the assistant is to behave, and the template."""

    template: str
    user: str
    system: str


class Counted(NamedTuple):
    """A text as it is read without and with the template's special tokens."""

    text: str
    plain: Encoding
    special: Encoding


def _choose_message(screen: page.FirstScreen) -> Message:
    """Draw the choice of template and message, and return it."""
    with screen.controls:
        template = page.control(
            st.selectbox,
            "template",
            "Template",
            list(TEMPLATES),
            list(TEMPLATES).index(CHATML),
            width=180,
        )
        user = page.text("message", "Question", _QUESTION, max_chars=_MOST, width=235)
        with st.popover("More", icon=":material/tune:"):
            system = page.text("system", "System message", _SYSTEM, max_chars=_MOST)
        say_limits({"message": _MOST, "system": _MOST})
    with screen.beside:
        return Message(
            str(template),
            read_or_keep("message", user, _checked, _QUESTION),
            read_or_keep("system", system, _checked, _SYSTEM),
        )


def _checked(typed: str) -> str:
    return checked_text(typed, most=_MOST, name="A message")


def templates(screen: page.FirstScreen) -> None:
    """Draw the text that a template makes, as tokens of a model that knows its marks and of one that does not."""
    message = _choose_message(screen)
    template = TEMPLATES[message.template]
    tokenizer = published_tokenizer(GPT2)
    aware = TokenizerWithSpecials(tokenizer, (_END, *template.special_tokens))
    text = template.render(message.user, message.system)
    found = Counted(text, tokenize(tokenizer, text), tokenize(aware, text))
    question = _ask(screen, message, aware)
    is_masked = question.masks
    with screen.picture:
        st.markdown(f"**{_finding(message, found, question)}**")
        rows = [
            TokenRow(
                "GPT-2, not tuned",
                number_of_tokens(len(found.plain)),
                tokenizer,
                found.plain,
                is_masked=is_masked,
            )
        ]
        if template.special_tokens:
            note = number_of_tokens(len(found.special))
            rows.append(TokenRow("tuned on it", note, aware, found.special))
        token_rows(rows, text, key="template_rows")
    page.note_beside(
        screen,
        "A *template* writes roles (system, user, assistant) into one text. A *special token* has an id"
        " of its own, and typed text must not give it, because otherwise anybody could pose as the system. **Try the"
        " templates**: the model continues from the end.",
    )
    if not page.is_presenting():
        _what_ours_does(text)


def _ask(screen: page.FirstScreen, message: Message, aware: TokenizerWithSpecials) -> page.Asked:
    if message != Message(CHATML, _QUESTION, _SYSTEM):
        return page.Asked()
    mark = TEMPLATES[CHATML].special_tokens[0]
    n = len(aware.base.encode(mark))
    return page.ask(
        screen,
        "special",
        f"How many tokens is {mark} to GPT-2, which was never tuned on chats?".replace("|", "\\|"),
        _ANSWERS,
        right=page.answer_meaning(n, _ANSWERS),
        reason=f"**{n}**, because to it the mark is text like any other, cut into the usual pieces. A"
        " tuned model has one new id for it, with a vector learned in the tuning.",
    )


def _finding(message: Message, found: Counted, question: page.Asked) -> str:
    special = TEMPLATES[message.template].special_tokens
    if question.masks:
        return f"To a tuned model this is {number_of_tokens(len(found.special))}; and to GPT-2?"
    if not special:
        return f"{message.template}: plain text, {number_of_tokens(len(found.plain))}, no special token"
    saved = len(found.plain) - len(found.special)
    return (
        f"{message.template}: {number_of_tokens(len(found.plain))} as text, {len(found.special)} with special"
        f" tokens, {saved} fewer"
    )


def _what_ours_does(text: str) -> None:
    """Fold away what the models here make of the template."""
    fold = st.expander(
        "What the models here make of it",
        icon=":material/edit_note:",
        key="template_replies",
        on_change="rerun",
    )
    draw_when_open(fold, lambda: _replies(text))
    st.markdown(
        "A *base model* has learned to continue texts, an *instruction-tuned* one was trained"
        " further on such templates with good replies, so it replies where a base model only"
        " continues. The models here are not instruction-tuned in this way: three have only read"
        " books, and the tuned one knows four tasks in two forms, neither of which is such a template."
    )


def _replies(text: str) -> None:
    for meta in metas().values():
        model = Model.of(meta)
        prepared = model.vocabulary.prepare(text)
        if not len(prepared.ids):
            st.markdown(f"**{escaped(title_of(meta))}** reads none of these characters.")
            continue
        written = continuation(model, prepared.text, 16)
        ids = [token.token for token in written.written]
        st.markdown(
            f"**{escaped(title_of(meta))}** continues with {as_code(model.vocabulary.decode(ids))}"
        )
        if prepared.dropped:
            st.caption(
                f"{sum(prepared.dropped.values())} characters of the template are not in its vocabulary."
            )
