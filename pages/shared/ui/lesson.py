"""The order of every page: question, controls, picture, explanation, code, things to try."""

import inspect
from collections.abc import Callable, Iterable
from functools import cache, partial
from textwrap import dedent
from types import ModuleType
from typing import Any, TypeAlias

import streamlit as st

from lm_core.text import sentence_pairs
from lm_core.text.catalogue import CORPORA, Corpus
from lm_core.text.translation_vocabulary import NAME as TRANSLATION_SUBWORDS
from lm_core.text.word_corpora import WORD_CORPORA, WordCorpus
from lm_core.text.word_vocabulary import WORDS
from lm_core.training.checkpoints import CheckpointMeta
from pages.shared.classroom.bar import class_bar
from pages.shared.classroom.following import page
from pages.shared.classroom.shown_answers import answers_fold
from pages.shared.frame.sharing import share_bar
from pages.shared.lessons.bar import lesson_bar, lesson_is_on
from pages.shared.lessons.kept import lesson_titles
from pages.shared.numbers import percent, significant
from pages.shared.own_source import read_source
from pages.shared.registry import PageSpec, page_at
from pages.shared.suggestions import suggestions_of
from pages.shared.ui import appearance
from pages.shared.ui.addresses import link_to
from pages.shared.ui.connection import connection_note
from pages.shared.ui.controls import begin_page, follow_link, is_arriving, is_presenting
from pages.shared.ui.folds import draw_when_open
from pages.shared.ui.markdown import escaped
from pages.shared.ui.terms import terms_panel
from pages.shared.ui.times import duration
from pages.shared.ui.visitor import identify


def page_header(address: str, lead: str = "", *, shareable: bool = True) -> None:
    """Begin a page: its title from the registry, one sentence under it, link and presenter view.

    Call it before any control is drawn.
    """
    spec = page_at(address)
    _forward_former(spec)
    identify()
    connection_note()
    appearance.apply()
    with st.container(key="page_title", horizontal=True, vertical_alignment="center"):
        # One line has room for the class and the lesson, but then for no question.
        is_short = is_presenting() and lesson_is_on()
        st.title(spec.term if is_short else spec.title, anchor=False)
        if is_presenting():
            class_bar(address, lesson_titles)
            lesson_bar()
        share_bar(address, shareable=shareable)
    if not is_presenting():
        class_bar(address, lesson_titles)
    if lead and not is_presenting():
        with st.container(key="page_lead", horizontal=True, vertical_alignment="center"):
            st.markdown(lead)
            if spec.minutes:
                terms_panel(address)
    begin_page(spec.address)


def _forward_former(spec: PageSpec) -> None:
    """Lead a link that uses a control's former name, or means the part that opened before, on to today's."""
    if not is_arriving(spec.address):
        return  # what another part of the page has drawn under this name is no link's
    named = {name: st.query_params.get_all(name) for name in st.query_params}
    if spec.opened_on is not None and spec.opened_on.is_meant(named):
        named[spec.opened_on.choice] = [spec.opened_on.part]
    part = named.get("part", [""])[-1]
    today = dict(spec.renamed)
    today |= {before: now for where, before, now in spec.renamed_in_part if where == part}
    asked = {today.get(name, name): values for name, values in named.items()}
    if set(asked) != set(st.query_params):
        follow_link(link_to(spec.address, asked))


Source: TypeAlias = Callable[..., Any] | type | ModuleType
Sources: TypeAlias = tuple[Source, ...]
"""The functions, classes and whole files that a page shows as the code behind it."""


def show_source(*functions: Source) -> None:
    """Fold away the code behind the page: the real functions, or whole files, as they are."""
    code = st.expander(
        "The code behind this page", icon=":material/code:", key="source", on_change="rerun"
    )
    draw_when_open(code, partial(_sources, functions))


def _sources(functions: Iterable[Source]) -> None:
    for function in functions:
        if isinstance(function, ModuleType):
            st.caption(f"`{function.__name__}`, the whole file")
        else:
            st.caption(f"`{function.__module__}.{function.__qualname__}`")
        st.code(_source(function), language="python", wrap_lines=True)


@cache
def _source(function: Source) -> str:
    return dedent(read_source(partial(inspect.getsource, function)))


def try_this(part: str = "") -> None:
    """End the page with what its part suggests to try, and the answers for whoever may see them."""
    suggestions = suggestions_of(page())[part]
    st.header("Try this", anchor=False)
    st.markdown("\n".join(f"- {suggestion.text}" for suggestion in suggestions))
    answers_fold(page(), suggestions)


def provenance(meta: CheckpointMeta) -> None:
    """Show in small type what a model is and where it comes from, read from its checkpoint."""
    st.caption(escaped(provenance_text(meta)))


_TITLES = {sentence_pairs.NAME: sentence_pairs.TITLE}  # of corpora in several files
_UNITS = {WORDS: ("words", ""), TRANSLATION_SUBWORDS: ("tokens", "/token")}
"""In which a model's text is counted, and its loss, where it is not in characters."""


def provenance_text(meta: CheckpointMeta) -> str:
    """Return a model's provenance as one line; of its losses that with running memory, or else the first.

    Of a pretrained model no more is known than its size. A model that judges whole sentences is recorded with the share that it judges rightly, and one of
    words with the words it has read.
    """
    loss = meta.losses.get("B", next(iter(meta.losses.values()), None))
    if not meta.corpus:
        size = f"{_rounded(meta.parameter_count)} parameters"
        return f"{meta.title} · {size} · trained elsewhere, read from this server's own folder"
    accuracy = meta.scores.get("accuracy")
    unit, per = _UNITS.get(meta.vocabulary, ("characters", "/char"))
    result = None if loss is None else f"{loss:.2f} nats{per}"
    corpora: dict[str, WordCorpus | Corpus] = {**WORD_CORPORA, **CORPORA}
    corpus = corpora.get(meta.corpus)
    parts = [
        meta.title,
        corpus.title if corpus else _TITLES.get(meta.corpus, meta.corpus),
        f"{_rounded(meta.characters_seen)} {unit} seen" if meta.characters_seen else "",
        result if accuracy is None else f"{percent(accuracy, 1)} right",
        f"{meta.device}, {duration(meta.seconds)}",
        f"seed {meta.seed}",
    ]
    return " · ".join(part for part in parts if part)


def _rounded(count: int) -> str:
    if count >= 1_000_000:
        return (
            f"{significant(count / 1e6, 3)} M"
            if count < 999.5e6
            else f"{significant(count / 1e9, 3)} G"
        )
    return f"{count:,}"
