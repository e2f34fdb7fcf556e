"""Where two models differ: a passage in the colour of the model that expected each character more."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.places_in_words import PLACES, PlaceMean, means_by_place
from lm_core.analysis.surprisal import readable_text, score_text
from lm_core.errors import CorpusError, TextError
from lm_core.text.catalogue import WAR_AND_PEACE
from lm_core.text.character_vocabulary import SOURCE
from lm_core.text.corpora import locate
from lm_core.text.training_text import load_book
from lm_core.text.what_was_read import what_a_model_reads
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.model_ladder.rungs import trained_models
from pages.shared import page
from pages.shared.charts.comparisons import difference_bars
from pages.shared.charts.palette import BLUE, GUESS, ORANGE
from pages.shared.components.texts import FIRST, PLAIN, SECOND, Tint, tinted_text
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.turns import model_calls, page_turns
from pages.shared.ui.figures import show_chart
from pages.shared.ui.messages import show_error
from pages.shared.ui.text_input import checked_text, read_or_keep, reading_bar, say_limits
from pages.shared.ui.what_was_read import show_what_was_read

MOST_CHARACTERS = 5_000
EXAMPLE = (
    "The princess wished to rise, but the prince held her by the hand. On the table lay a letter"
    " with a broken seal. Outside the windows the adjutants were already mounting, and from the"
    " road came the creak of wheels and the voices of soldiers. I have nothing more to say to you,"
    " he answered, and turned away from her with a frown."
)
_FIRST, _SECOND = "book-transformer", "book-ngram"
_EXCERPT, _PASSAGES = 600, 100
_FULL_NATS, _STRONGEST = 3.0, 85
"""Of a difference that takes the full colour."""
_LONG = 3_000
BOOK, OWN = "The book's last tenth", "Your own"


def choose_texts() -> tuple[CheckpointMeta, CheckpointMeta, str]:
    """Draw the choice of two models and a text, and return them; the example where there is no other."""
    models = trained_models()
    first = models[_choose("differing_model", "Model", list(models), _FIRST)]
    others = [name for name in models if name != first.name]
    second = models[_choose("differing_rival", "compared with", others, _SECOND)]
    with st.popover("Text", icon=":material/article:"):
        return first, second, _choose_text()


def _choose(name: str, label: str, names: list[str], first: str) -> str:
    return str(
        page.control(
            st.selectbox,
            name,
            label,
            names,
            names.index(first) if first in names else 0,
            format_func=lambda chosen: trained_models()[chosen].title,
            width=260,
        )
    )


def _choose_text() -> str:
    has_book = bool(locate(WAR_AND_PEACE.name))
    options = [BOOK, OWN] if has_book else [OWN]
    kind = page.segments("text", "Text", options, options[0])
    if kind == BOOK:
        place = page.slider("passage", "Passage", 1, _PASSAGES, 40)
        try:
            return _passage(int(place))
        except CorpusError as error:
            show_error(error, st.warning)
            return EXAMPLE
    if not has_book:
        st.info("The book is not on this server: type a text, or read the example.")
    typed = page.control(
        st.text_area,
        "own_text",
        "Your own text",
        EXAMPLE,
        max_chars=MOST_CHARACTERS,
        height=160,
        in_link=False,
        help=f"Up to {MOST_CHARACTERS:,} characters.",
    )
    say_limits({"own_text": MOST_CHARACTERS})
    text, was_read = read_or_keep(
        "own_text",
        str(typed),
        lambda raw: (_readable(raw), what_a_model_reads(raw, SOURCE)),
        EXAMPLE,
    )
    show_what_was_read(was_read, "own_text")
    return text


def _readable(typed: str) -> str:
    """Return what the models read of a text; TextError if that is nothing, or the text too long."""
    text = readable_text(checked_text(typed, most=MOST_CHARACTERS), SOURCE).strip()
    if not text:
        raise TextError(f"the models read none of these {len(typed):,} characters")
    return text


def _passage(place: int) -> str:
    """Return a passage of the part of the book that no model has learned from, from a sentence on."""
    text = _held_out()
    st.caption(
        f"The models read {len(SOURCE)} characters. Quotation marks, apostrophes, dashes and"
        " letters with accents are not among them, so they are left out: *Sónya* is written"
        " *Snya*."
    )
    begin = int((place - 1) / _PASSAGES * (len(text) - 2 * _EXCERPT))
    begin = text.index(". ", begin) + 2
    return text[begin : begin + _EXCERPT].rpartition(" ")[0]


@st.cache_resource(max_entries=1, show_spinner="Opening the book")
def _held_out() -> str:
    book = load_book(SOURCE)
    return SOURCE.decode(book.ids[book.split : book.licence_start])


def where_they_differ(
    screen: page.FirstScreen, first: CheckpointMeta, second: CheckpointMeta, text: str
) -> None:
    """Draw the text, and by place in the words how much more the second model needs."""
    with screen.picture:
        ours, theirs = _nats(first, text), _nats(second, text)
    apart = theirs - ours
    by_place = means_by_place(text, apart)
    asked = _ask(screen, first, second, by_place)
    with screen.picture:
        _draw_text(first, second, text, (ours, theirs), asked)
        # Presented, the text needs the room, and the verdict has the same numbers.
        if not asked.masks and not page.is_presenting():
            _draw_places(second, by_place, asked)
    if not asked.masks:
        better, other = (first, second) if apart.mean() > 0 else (second, first)
        share = float(np.mean((apart > 0) == (better is first)))
        page.note_beside(
            screen,
            f"On these {len(text):,} characters the loss of {first.title} is **{ours.mean():.2f}** nats a"
            f" character, that of {second.title} **{theirs.mean():.2f}**. {better.title} gave"
            f" {percent(share)} of them a higher probability, {other.title} the rest"
            + (", so even the weaker model is ahead at some places." if share < 1.0 else "."),
        )


def _nats(meta: CheckpointMeta, text: str) -> np.ndarray:
    with page_turns.lent():
        return _scored(meta.name, meta.weights_sha256, text)


@st.cache_resource(max_entries=64, show_spinner=False)
def _scored(name: str, weights_sha256: str, text: str) -> np.ndarray:
    """Return what each character costs a model, in nats: read it, never change it."""
    model, meta = model_named(name, weights_sha256)
    with reading_bar(len(text), long=_LONG) as on_progress:
        scores = score_text(
            model,
            text,
            vocabulary_of(meta),
            model_turn=lambda: model_calls,
            on_progress=on_progress,
        )
    return scores.by_character * math.log(2.0)


def _ask(
    screen: page.FirstScreen,
    first: CheckpointMeta,
    second: CheckpointMeta,
    by_place: dict[str, PlaceMean],
) -> page.Asked:
    most = max(by_place, key=lambda place: by_place[place].mean)
    said = "; ".join(f"{place} {found.mean:+.2f}" for place, found in by_place.items())
    return page.ask(
        screen,
        f"ladder_places_{first.name}_{second.name}",
        f"At which characters does {second.title} lose most against {first.title}?",
        PLACES,
        right=most,
        reason=f"**{most}**. Its mean loss is higher by so many nats: {said}. The kinds are told"
        " apart because a word's first letter depends on which word comes next, and its later ones mostly on"
        " knowing the word.",
    )


def _draw_text(
    first: CheckpointMeta,
    second: CheckpointMeta,
    text: str,
    nats: tuple[np.ndarray, np.ndarray],
    asked: page.Asked,
) -> None:
    tints = [PLAIN] * len(text)
    if not asked.masks:
        tints = [_tint(first, second, a, b) for a, b in zip(*nats, strict=True)]
    tinted_text(
        list(text),
        tints,
        key="ladder_passage",
        legend=[
            (FIRST, f"{first.title} gave it more probability"),
            (SECOND, f"{second.title} gave it more probability"),
        ],
        unit="character",
        label="The passage, each character in the colour of the model that gave it more probability",
        click_hint="Point at a character to see the loss of both models there.",
        fills_place=page.is_presenting(),
    )


def _tint(first: CheckpointMeta, second: CheckpointMeta, ours: float, theirs: float) -> Tint:
    apart = theirs - ours
    strength = round(_STRONGEST * min(1.0, abs(apart) / _FULL_NATS))
    reading = f"{ours:.2f} nats for {first.title}, {theirs:.2f} for {second.title}"
    return Tint((FIRST if apart > 0 else SECOND,), strength, reading)


def _draw_places(second: CheckpointMeta, by_place: dict[str, PlaceMean], asked: page.Asked) -> None:
    frame = pd.DataFrame(
        [
            (
                f"{place} ({GUESS})" if place == asked.guess else place,
                found.mean,
                ORANGE if found.mean < 0 else BLUE,
            )
            for place, found in by_place.items()
        ],
        columns=["model", "difference", "colour"],
    )
    show_chart(
        difference_bars(frame, noise=0.0, title=f"loss of {second.title} minus the other's (nats)"),
        frame.rename(columns={"model": "place"})[["place", "difference"]],
        key="ladder_places",
        alt="; ".join(f"{row.model}: {row.difference:+.2f}" for row in frame.itertuples()),
        name="differences-by-place",
    )
