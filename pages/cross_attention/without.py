"""The same sentence with one head of the cross-attention ablated, or with all of it."""

from collections.abc import Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.word_overlap import share_kept, shared_places
from lm_core.generation.translated_words import words_of
from lm_core.generation.translation import Translation, all_heads
from pages.cross_attention.head_costs import Heads, draw_head_costs, score_of
from pages.cross_attention.subject import Subject
from pages.shared import page
from pages.shared.components.texts import AGAINST, MASKED, PLAIN, Tint, TintedText, tinted_texts
from pages.shared.models.translation import traced, translated, translator
from pages.shared.numbers import percent
from pages.shared.page.kept_words import draw_kept_words
from pages.shared.ui.controls import control, is_presenting

ALL = "All of it"
_ANSWERS = {"Nearly all": 1.0, "About half": 0.5, "Nearly none": 0.1}
_STRENGTH = 70


def choose_ablation(subject: Subject) -> Heads:
    """Draw what is switched off, and return its layers and heads, from 0."""
    every = _all(subject)
    named = {f"Head {layer + 1}.{head + 1}": (layer, head) for layer, head in every}
    if len(every) == 1:
        return every  # there is nothing to choose from
    off = control(st.selectbox, "switched_off", "Switched off", [ALL, *named], width=150)
    return (named[off],) if off in named else every


def without_it(screen: page.FirstScreen, subject: Subject, ablated: Heads) -> None:
    """Draw both translations, and what each head is worth to this one and to those of the test set."""
    whole = subject.translation
    other = translated(subject.model, subject.sentence, ablated=ablated)
    asked = _ask(screen, subject)
    with screen.beside:
        _kept(subject, ablated, asked)
    is_masked = asked.masks and ablated == _all(subject)
    score = score_of(subject)
    with screen.picture:
        kept = "?" if is_masked else f"{percent(share_kept(_words(whole), _words(other)))}"
        st.markdown(f"**With {_named(subject, ablated)} off, it keeps {kept} of its words**")
        text, here, everywhere = _places(subject)
        with text:
            _texts(subject, whole, None if is_masked else other, ablated)
        if subject.has_heads:
            draw_head_costs(subject, ablated, score, here, everywhere)
    if asked.masks:
        return
    page.note_beside(screen, _about(subject, ablated))
    if score is not None and score.ablated is not None:
        page.note_beside(
            screen,
            f"On {score.greedy.n_sentences:,} captions that it has not seen it scores **BLEU"
            f" {score.greedy.score:.1f}**, with all of it off **{score.ablated.score:.1f}**"
            " (greedy decoding): without it hardly anything of the sentence reaches the decoder,"
            " so it writes what is likely in any caption.",
        )


def _places(subject: Subject) -> Sequence[DeltaGenerator]:
    """Return where the translations and the two maps lie: side by side where large type takes height."""
    if is_presenting() and subject.has_heads:
        return st.columns([1.6, 1, 1], gap="medium")
    return st.container(), *st.columns(2, gap="medium")


def _words(translation: Translation) -> list[str]:
    return [word.text for word in words_of(translation.target_symbols) if word.text]


def _named(subject: Subject, ablated: Heads) -> str:
    if ablated == _all(subject):
        return "all of it"
    ((layer, head),) = ablated
    return f"head {layer + 1}.{head + 1}"


def _all(subject: Subject) -> Heads:
    return tuple(all_heads(translator(subject.model)))


def _ask(screen: page.FirstScreen, subject: Subject) -> page.Asked[float]:
    whole = _words(subject.translation)
    none = _words(translated(subject.model, subject.sentence, ablated=_all(subject)))
    kept = share_kept(whole, none)
    n_kept = sum(shared_places(whole, none))
    return page.ask(
        screen,
        f"without_{subject.name}",
        "How many of these words will it still write with all of its cross-attention off?",
        _ANSWERS,
        right=kept,
        reason=f"With all of it off, **{n_kept} of {len(whole)}** words are left: what remains is a French"
        " caption, and hardly this one, because the decoder has learned French but no longer reads"
        " the sentence."
        if kept < 0.5
        else f"With all of it off, **{n_kept} of {len(whole)}** words are left.",
    )


def _kept(subject: Subject, ablated: Heads, asked: page.Asked[float]) -> None:
    """Draw the share of words kept without all of it and, if it is another thing, without what is off."""
    whole = _words(subject.translation)
    shares = {
        f"{_named(subject, off)} off": share_kept(
            whole, _words(translated(subject.model, subject.sentence, ablated=off))
        )
        for off in dict.fromkeys((_all(subject), ablated))
    }
    draw_kept_words("cross_kept", shares, asked)


def _texts(subject: Subject, whole: Translation, other: Translation | None, ablated: Heads) -> None:
    """Draw both translations, in each the words that the other one has not; None waits for a guess."""
    waiting = TintedText(
        f"With {_named(subject, ablated)} off", ["?"], [Tint((MASKED,), 0, "what is left?")]
    )
    texts = [TintedText("With all of it on", _words(whole), [PLAIN] * len(_words(whole))), waiting]
    if other is not None:
        texts = [
            text._replace(words=_words(one), tints=_tints(one, another))
            for text, one, another in zip(texts, (whole, other), (other, whole), strict=True)
        ]
    tinted_texts(
        texts,
        key="cross_texts",
        label="Both translations",
        hint="Point at a word." if is_presenting() else "Point at a word: does the other have it?",
        legend=[(AGAINST, "not in the other one")] if other and not is_presenting() else [],
        fills_place=is_presenting(),
    )


def _tints(one: Translation, other: Translation) -> list[Tint]:
    shared = shared_places(_words(one), _words(other))
    return [
        Tint((), 0, "in both") if is_shared else Tint((AGAINST,), _STRENGTH, "only here")
        for is_shared in shared
    ]


def _about(subject: Subject, ablated: Heads) -> str:
    whole = subject.translation
    changed = traced(subject.model, subject.sentence, whole.target_ids, ablated)
    n = len(whole.target_ids)
    return (
        "*Ablation* sets what a head hands on to zero; all else stays as it was trained. So it shows what"
        " this model misses without the head, not what it would have learned without it.\n\nThe model"
        f" gives its own translation of {n} tokens a log-probability of **{whole.log_probability:.1f}**;"
        f" without {_named(subject, ablated)} it gives the same tokens **{changed.log_probability:.1f}**."
    )
