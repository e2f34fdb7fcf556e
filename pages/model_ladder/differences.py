"""Where two models differ: a passage in the colour of the model that expected each character more."""

import math

import numpy as np
import pandas as pd
import streamlit as st

from lm_core.analysis.places_in_words import PLACES, PlaceMean, means_by_place
from lm_core.analysis.surprisal import score_text
from lm_core.training.checkpoints import CheckpointMeta
from lm_core.training.model_vocabulary import vocabulary_of
from pages.shared import page
from pages.shared.charts.comparisons import difference_bars
from pages.shared.charts.palette import BLUE, GUESS, ORANGE
from pages.shared.components.texts import FIRST, PLAIN, SECOND, Tint, tinted_text
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.ui.text_input import reading_bar

MOST_CHARACTERS = 5_000
EXAMPLE = (
    "The princess wished to rise, but the prince held her by the hand. On the table lay a letter"
    " with a broken seal. Outside the windows the adjutants were already mounting, and from the"
    " road came the creak of wheels and the voices of soldiers. I have nothing more to say to you,"
    " he answered, and turned away from her with a frown."
)
_FULL_NATS, _STRONGEST = 3.0, 85  # of a difference that takes the full colour
_LONG = 3_000
BOOK, OWN = "The book's last tenth", "Your own"


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
    with page.page_turns.lent():
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
            model_turn=lambda: page.model_calls,
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
    page.show_chart(
        difference_bars(frame, noise=0.0, title=f"loss of {second.title} minus the other's (nats)"),
        frame.rename(columns={"model": "place"})[["place", "difference"]],
        key="ladder_places",
        alt="; ".join(f"{row.model}: {row.difference:+.2f}" for row in frame.itertuples()),
        name="differences-by-place",
    )
