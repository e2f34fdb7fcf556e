"""A sentence and the same sentence shifted by one: what a model reads at each place, and what it should say."""

import pandas as pd
import streamlit as st
import torch

from lm_core.experiments.neural_language_model.sentences import SentenceCorpus
from lm_core.experiments.order_matters.models import RNN, expected, learn
from lm_core.experiments.order_matters.sentences import corpus_of, shifted
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.order_matters.shifted_chart import shifted_words
from pages.shared import page
from pages.shared.numbers import percent

_FIRST = "I love my cute dog"
_MOST_CHARACTERS = 80
_STEPS = (0, 1, 2, 3, 5, 10, 20, 40)
_TEXTS, _OWN = "the word of the text", "the word that the model expected"


def inputs_and_targets(screen: page.FirstScreen) -> None:
    """Draw input and target of each place, and what a network expects there after some steps."""
    with screen.controls:
        typed = page.text(
            "shifted_sentence", "Sentence", _FIRST, max_chars=_MOST_CHARACTERS, width=240
        )
        steps = page.pick("shifted_steps", "Steps of training", _STEPS, 0, width=150)
    with page.more(screen):
        seed = page.number("shifted_seed", "Seed of the first weights", 0, 999, 0)
    with screen.picture:
        sentence = page.read_and_say("shifted_sentence", typed, _read, _FIRST)
    corpus = corpus_of(sentence)
    given = torch.tensor(_learned(sentence, steps, seed))
    asked = _ask(screen)
    right = [
        float(row[target]) for row, target in zip(given, shifted(corpus).targets[0], strict=True)
    ]
    with screen.picture:
        _draw(corpus, given, right, hides_inputs=asked.masks)
    _explain(screen, corpus, given, right, steps)


def _read(typed: str) -> tuple[str, WhatWasRead]:
    """Return a sentence as the network reads it; TextError if it has no word or too many."""
    corpus = corpus_of(page.checked_text(typed, most=_MOST_CHARACTERS, name="the sentence"))
    sentence = " ".join(corpus.words[i] for i in corpus.sentences[0])
    return sentence, sentence_as_read(typed, sentence)


@st.cache_data(max_entries=256, show_spinner=False)
def _learned(sentence: str, steps: int, seed: int) -> list[list[float]]:
    """Return the probability of each word after each prefix, once for all visitors."""
    corpus = corpus_of(sentence)
    with page.model_calls:
        given: list[list[float]] = expected(
            learn(RNN, corpus, seed=seed, steps=steps), corpus.sentences[0]
        ).tolist()
    return given


def _ask(screen: page.FirstScreen) -> page.Asked[str]:
    return page.ask(
        screen,
        "shifted_inputs",
        "In training the network expects a wrong word at some place. What does it read at the next one?",
        (_TEXTS, _OWN),
        right=_TEXTS,
        reason="The input is **the word of the text**, whatever the network has just said: this is called *teacher"
        " forcing*. So all inputs and targets are known before the training begins, and all places can be learned"
        " at once. Only when it writes a text of its own does a model read what it has chosen itself.",
    )


def _draw(
    corpus: SentenceCorpus, given: torch.Tensor, right: list[float], *, hides_inputs: bool
) -> None:
    """Draw a column for each place: the input, the target, and what is expected."""
    inputs, targets = ([corpus.words[i] for i in part[0].tolist()] for part in shifted(corpus))
    frame = pd.DataFrame(
        {
            "input": [word if not (hides_inputs and i) else "?" for i, word in enumerate(inputs)],
            "target": targets,
            "expected": [corpus.words[i] for i in given.argmax(1).tolist()],
            "probability": right,
        }
    )
    page.show_chart(
        shifted_words(frame, chance=1 / len(corpus.words)),
        frame,
        key="shifted_probabilities",
        alt="; ".join(
            f"{row.input}: target {row.target} with {percent(row.probability)}, expected {row.expected}"
            for row in frame.itertuples()
        ),
        name="inputs-and-targets",
    )


def _explain(
    screen: page.FirstScreen,
    corpus: SentenceCorpus,
    given: torch.Tensor,
    right: list[float],
    steps: int,
) -> None:
    n = len(right)
    hits = sum(
        int(row.argmax()) == int(target)
        for row, target in zip(given, shifted(corpus).targets[0], strict=True)
    )
    page.note_beside(
        screen,
        f"The targets are the inputs shifted by one, so a sentence of {n - 1} words gives {n} lessons, one for each"
        " beginning. The point stands before and after the sentence, because the first word and the end must be"
        f" learned, too. After {steps} steps the small RNN expects the target at {hits} of {n} places, and gives it"
        f" {percent(sum(right) / n)} on average; chance is {percent(1 / len(corpus.words))}, because it knows"
        f" {len(corpus.words)} words with the point. More steps bring the bars up, since nearly every one"
        " raises the probabilities of all targets together.",
    )
