"""Where the speaker is named: the head that finds a span."""

from collections.abc import Sequence

import streamlit as st

from lm_core.experiments.fine_tuning import asking
from lm_core.experiments.fine_tuning.settings import SPEAKER
from pages.fine_tuning.examples import SPOKEN
from pages.fine_tuning.head_fields import field, say_what_was_read
from pages.fine_tuning.subject import encoder, encoder_meta, tuned_model, vocabulary
from pages.shared import page
from pages.shared.charts.drawing import with_columns
from pages.shared.charts.palette import GREEN
from pages.shared.charts.predictions import percentage, prediction_bars, prediction_table
from pages.shared.components.texts import ANSWER, FIRST, SECOND, Tint, tinted_text
from pages.shared.turns import model_calls
from pages.shared.ui.markdown import as_code
from pages.shared.ui.text_input import read_or_keep


def name_speaker(screen: page.FirstScreen, n_labelled: int) -> None:
    """Draw where the speaker is named in a passage."""
    typed = field(screen, "spoken_passage", "Passage", SPOKEN[0], SPOKEN)
    with screen.picture:
        say_what_was_read(typed, SPOKEN)
        passage, said = read_or_keep("spoken_passage", typed, _read_spoken, SPOKEN[0])
        number = page.choice(
            "quotation",
            "Who says",
            range(1, len(said) + 1),
            format_func=lambda i: f'Who says: "{said[i - 1]}"',
            label_visibility="collapsed",
            width="stretch",
        )
        asked = asking.read_question(passage, said[number - 1], vocabulary(), encoder().config)
        found = _span(
            encoder_meta().weights_sha256, n_labelled, tuple(asked.quotation), tuple(asked.passage)
        )
        spelled = [text.replace("\n", "") for text in vocabulary().spell(asked.passage)]
        answer = "".join(spelled[found.start : found.stop]).strip()
        st.markdown(
            f"**Answer: {as_code(answer)}.** First subword"
            f" {percentage(float(found.first[found.start]))}, last"
            f" {percentage(float(found.last[found.stop - 1]))}"
        )
        _marked(spelled, found)
        if not page.is_presenting():  # large type leaves room for the passage alone
            _ends(spelled, found)


def _read_spoken(text: str) -> tuple[str, list[str]]:
    """Return a passage and what is said in it, if every question about it can be read."""
    said = asking.quotations_of(text, vocabulary())
    for quotation in said or [""]:
        asking.read_question(text, quotation, vocabulary(), encoder().config)
    return text, said


@st.cache_data(max_entries=256, show_spinner=False)
def _span(
    sha256: str, n_labelled: int, quotation: tuple[int, ...], passage: tuple[int, ...]
) -> asking.FoundSpan:
    del sha256  # part of the key
    model = tuned_model(SPEAKER, n_labelled)
    with model_calls:
        return asking.find_speaker(model, asking.AskedSpeaker(list(quotation), list(passage)))


def _marked(spelled: Sequence[str], found: asking.FoundSpan) -> None:
    """Draw the passage: the stronger the colour, the more probable as the answer's first or last subword."""
    tints = []
    for place, (first, last) in enumerate(zip(found.first, found.last, strict=True)):
        roles = [FIRST if first >= last else SECOND]
        if found.start <= place < found.stop:
            roles.append(ANSWER)
        reading = f"first {percentage(float(first))}, last {percentage(float(last))}"
        tints.append(Tint(tuple(roles), round(100 * float(max(first, last))), reading))
    tinted_text(
        spelled,
        tints,
        key="span",
        legend=((FIRST, "first subword"), (SECOND, "last subword")),
        unit="subword",
        label="The passage, with the answer marked",
        click_hint="Point at a subword: how probable it is as the answer's first and last.",
        fills_place=page.is_presenting(),
    )


def _ends(spelled: Sequence[str], found: asking.FoundSpan) -> None:
    """Draw the most probable first and last subwords."""
    names = [f"{i} {text.strip()}" for i, text in enumerate(spelled)]
    table = prediction_table(
        names, {"first": found.first, "last": found.last}, most=4, marked=found.start
    )
    # No stage comes before another here: there is nothing to compare with.
    table = with_columns(table, before=table["probability"])
    page.show_chart(
        prediction_bars(table, unit="subword", mark="starts here", colour=GREEN),
        table,
        key="span_bars",
        alt=f"The answer begins at {names[found.start]} and ends at {names[found.stop - 1]}.",
        name="first-and-last-subword",
    )
