"""Letters in and out: a word reversed by an encoder and a decoder."""

import pandas as pd
import streamlit as st

from lm_core.experiments.sequence_models.inference import LetterStep, reverse_word, word_of
from lm_core.experiments.sequence_models.tasks import TEST_WORDS, TRAINED_LETTERS
from lm_core.text.symbols import read_word
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from lm_core.training.checkpoints import SHIPPED, CheckpointMeta, read_meta
from pages.sequence_models.letter_steps import HEIGHT, draw_diagram, letter_steps
from pages.sequence_models.unrolled_network_chart import Unrolled
from pages.sequence_models.words import HOW_MANY
from pages.shared import page
from pages.shared.charts.palette import VERMILLION
from pages.shared.models.language_models import model_named
from pages.shared.numbers import percent
from pages.shared.ui import lesson

REVERSER, FIRST_WORD = "word-reverser", "petersburg"


def sequence_to_sequence(screen: page.FirstScreen) -> None:
    """Draw the visitor's word, the network's reversal of it, and its accuracy by length."""
    with screen.controls:
        text = page.text("word", "Word, letters from a to z", FIRST_WORD, width=260)
    meta = read_meta(SHIPPED / REVERSER)
    asked = _ask(screen, _shares(meta), TRAINED_LETTERS + 2)
    with screen.picture:
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            word = page.read_and_say("word", text, _read, FIRST_WORD)
            steps = _reversed(word, meta.weights_sha256)
            _reversal(word, steps)
        with right:
            _accuracy_by_length(meta, asked)
    st.markdown(
        "The *encoder* reads the whole word first. At ⊢ the *decoder* h′ takes over its last"
        f" state: {meta.config['hidden_size']} values, whatever the word's length. They are all"
        " that the decoder receives. From then on it reads its own letters until it predicts the"
        " end ⊣. *Attention* removes this bottleneck, because it gives the decoder all states of"
        " the encoder."
    )
    letter_steps("reverser", steps, name="sequence-to-sequence", right=f"{word[::-1]}⊣")
    lesson.provenance(meta)


def _read(typed: str) -> tuple[str, WhatWasRead]:
    word = read_word(typed)
    return word, sentence_as_read(typed, word)


@st.cache_data(max_entries=256, show_spinner=False)
def _reversed(word: str, weights: str) -> tuple[LetterStep, ...]:
    with page.model_calls:
        return reverse_word(model_named(REVERSER, weights).model, word)


def _first_mistake(answer: str, right: str) -> str:
    """Return from which letter on an answer differs from the right one, and what that is."""
    pairs = zip(f"{answer}⊣", f"{right}⊣", strict=False)
    place = next(i for i, (given, wanted) in enumerate(pairs) if given != wanted)
    wanted = right[place] if place < len(right) else "the end"
    return f"letter {place + 1} should be {wanted}, as in {right}"


def _reversal(word: str, steps: tuple[LetterStep, ...]) -> None:
    answer = word_of(steps)
    verdict = "right" if answer == word[::-1] else f"wrong: {_first_mistake(answer, word[::-1])}"
    generated = tuple(step.letter or "⊣" for step in steps)
    right = f"{word[::-1]}⊣"
    wrong = {len(word) + i for i, letter in enumerate(generated) if letter != right[i : i + 1]}
    draw_diagram(
        "reverser",
        Unrolled(
            (*word, "⊢", *generated[:-1]),
            ("",) * len(word) + generated,
            decoder_from=len(word),
            wrong=frozenset(wrong),
        ),
        title=f"{word} becomes {answer or 'nothing'}, {verdict}",
        alt=f"The encoder reads {word}; from its last state the decoder predicts {answer}.",
        name="sequence-to-sequence",
    )


def _shares(meta: CheckpointMeta) -> dict[int, float]:
    """Return the share of words reversed without an error, by length."""
    return {int(name.split()[2]): share for name, share in meta.scores.items()}


def _ask(screen: page.FirstScreen, shares: dict[int, float], longer: int) -> page.Asked:
    return page.ask(
        screen,
        "reverser_longer",
        f"Training had random words of at most {TRAINED_LETTERS} letters. How many words of"
        f" {longer} letters does the network reverse without an error?",
        HOW_MANY,
        right=shares[longer],
        reason=f"{percent(shares[longer], 1)} of {TEST_WORDS} random words of {longer} letters,"
        f" {percent(shares[TRAINED_LETTERS], 1)} of those of {TRAINED_LETTERS}. In random words no letter"
        " can be guessed from the others, so the state must store every one.",
    )


def _accuracy_by_length(meta: CheckpointMeta, asked: page.Asked) -> None:
    """Draw the accuracy up to the longest words of training, or of all lengths."""
    shares, longer = _shares(meta), TRAINED_LETTERS + 2
    last = TRAINED_LETTERS if asked.masks else max(shares)
    shown = {length: share for length, share in shares.items() if length <= last}
    title = f"{percent(shown[TRAINED_LETTERS], 1)} of words right at {TRAINED_LETTERS} letters" + (
        "" if asked.masks else f", {percent(shown[longer], 1)} at {longer}"
    )
    st.markdown(f"**{title}**")
    page.show_chart(
        page.line_chart(
            {"accuracy": list(shown.items())},
            {"accuracy": page.LineStyle(VERMILLION)},
            page.Axis("letters in the word", (1, max(shares))),
            page.Axis("words without an error", (0.0, 1.0), form=".0%"),
            references={"in training": [(TRAINED_LETTERS, y) for y in (1.0, 0.0)]},
            guess=asked.at(lambda share: (longer, share.typical)),
            has_points=True,
            has_names=False,
            height=HEIGHT,
        ),
        pd.DataFrame(
            {"length": list(shown), "accuracy": list(shown.values()), "words": TEST_WORDS}
        ),
        key="reverser_lengths",
        alt=f"{title}. Chance is practically 0.",
        name="accuracy-by-length",
    )
