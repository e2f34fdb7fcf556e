"""The decoder word by word: what comes next, where it looks meanwhile, and what follows another choice."""

import streamlit as st

from lm_core.generation.translation import Candidate, Translation
from lm_core.text.translation_vocabulary import shipped_vocabulary
from pages.cross_attention.beginning import PICKED, PICKS, STEP, STOP, choose_beginning, take_pick
from pages.cross_attention.subject import Alignment, Head, Subject
from pages.shared import page
from pages.shared.charts import predictions
from pages.shared.charts.palette import PURPLE, visible
from pages.shared.components.alignment import alignment_picture
from pages.shared.models.translation import translated
from pages.shared.ui.markdown import as_code, escaped

_ANSWERS = 4


def word_by_word(screen: page.FirstScreen, subject: Subject, head: Head) -> None:
    """Walk through a translation; a click on a candidate, or typed words, lead it elsewhere."""
    take_pick()
    with screen.beside:
        begun = choose_beginning()
    translation = translated(subject.model, subject.sentence, prefix=begun)
    least = _least_certain(translation)
    asked = _ask(screen, subject, translation, least, when=not begun and not _is_led_past(least))
    with screen.picture:
        picture = st.container(gap="xsmall")
    with screen.beside:
        beside = st.container(gap="xsmall")

    def draw(step: int) -> None:
        here = asked if step == least else page.Asked[str]()
        with picture:
            _map(translation, head, step, here.masks)
        with beside:  # in every run: a fragment may write later only where the page has written
            if here.masks:
                st.caption("The candidates and their probabilities come with the answer.")
            else:
                _candidates(translation, step, here.guess)

    # The steps after the one that is asked for show its answer.
    n_steps = least + 1 if asked.masks else len(translation.steps)
    with screen.picture:
        page.playback_bar(
            STEP, n_steps, draw, label="Tokens written", start=least, seconds_per_step=0.8
        )


# The question -----------------------------------------------------------------------------------


def _is_led_past(step: int) -> bool:
    """Return whether the link has led further, where the answer is seen."""
    seen = str(st.session_state.get(STEP, st.query_params.get(STEP, "")))
    return seen.isdecimal() and int(seen) > step


def _ask(
    screen: page.FirstScreen, subject: Subject, translation: Translation, step: int, *, when: bool
) -> page.Asked[str]:
    """Ask which token is the most probable at one step."""
    best = translation.steps[step].candidates[:_ANSWERS]
    before = shipped_vocabulary().decode(translation.target_ids[:step])
    first, second = best[:2]
    return page.ask(
        screen,
        f"next_{subject.name}",
        f"which token follows {as_code(before)}?" if before else "which token comes first?",
        [escaped(symbol) for symbol in sorted(_shown(candidate) for candidate in best)],
        right=escaped(_shown(first)),
        reason=f"{as_code(_shown(first))} has **{predictions.percentage(first.probability)}**,"
        f" {as_code(_shown(second))} {predictions.percentage(second.probability)}.",
        when=when,
    )


def _shown(candidate: Candidate) -> str:
    return visible(candidate.symbol or STOP)


# Pictures ---------------------------------------------------------------------------------------


def _least_certain(translation: Translation) -> int:
    """Return the step whose first candidate was least probable."""
    steps = range(len(translation.steps))
    return min(steps, key=lambda i: translation.steps[i].candidates[0].probability)


def _map(translation: Translation, head: Head, step: int, is_masked: bool) -> None:
    """Draw where the words so far look; while the last one is asked for, its row waits."""
    written = Alignment(translation, head, step + 1)
    words, last = written.target_words, len(written.target) - 1
    said = escaped(shipped_vocabulary().decode(translation.target_ids[:step])) or "…"
    now = as_code(translation.steps[step].symbol or STOP)
    if is_masked:
        begun = "".join(translation.target_symbols[written.target[-1].start : step]).strip()
        words, now = [*words[:-1], f"{begun}?"], "?"
    st.markdown(f"**{said} ▸ {now}**")
    alignment_picture(
        written.weights,
        words,
        written.source_words,
        key="cross_steps",
        label=f"Where each of the first {len(words)} words looks",
        name="cross-attention-steps",
        current=last,
        masked=last if is_masked else None,
    )


def _candidates(translation: Translation, step: int, guess: str | None) -> None:
    """Draw what could come next, and what was expected to; a click on a bar takes it."""
    now = translation.steps[step]
    shown = list(now.candidates[: _most_bars()])
    if now.token not in [c.token for c in shown]:
        shown.append(Candidate(now.token, now.symbol, now.probability))
    table = predictions.candidate_table(
        [c._replace(symbol=c.symbol or STOP) for c in shown],
        len(shipped_vocabulary()),
        marked=now.token,
        guessed=next((c.token for c in shown if escaped(_shown(c)) == guess), None),
    )
    st.markdown(f"**Token {step + 1}: what comes next?**")
    selected = page.show_chart(
        predictions.prediction_bars(table, unit="token", mark="taken", colour=PURPLE),
        key=f"cross_next_{st.session_state.get(PICKS, 0)}",
        alt=f"After {step} tokens: {predictions.bars_in_words(table)}",
        name="next-token",
        selectable=True,
    )
    if not page.is_presenting():
        st.caption("Click another bar: the translation continues from there.")
    picked = predictions.picked_id(selected)
    if picked is not None and picked != now.token:
        st.session_state[PICKED] = (*translation.target_ids[:step], picked)
        st.rerun()


def _most_bars() -> int:
    return 4 if page.is_presenting() else 7
