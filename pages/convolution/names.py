"""A CNN over the letters of a name: where its filters respond, and what it expects next, beside an MLP."""

import numpy as np
import streamlit as st
import torch

from lm_core.errors import TextError
from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN, MLP, first_responses
from lm_core.text.names import END, encode_name
from lm_core.text.what_was_read import WhatWasRead, sentence_as_read
from pages.convolution.name_grids import STEP, Read, draw_names
from pages.shared import page

_NAME, _FIRST, _LONGEST = "typed_name", "annabelanna", 12
_EQUAL = 0.01
"""Nats: a smaller difference is called none."""
_ANSWERS = (f"The {CNN}", "Neither: less than 0.01 apart", f"The {MLP}")


def _choose_name(screen: page.FirstScreen) -> str:
    """Draw the field for a name, and return it in small letters."""
    with screen.controls:
        typed = page.text(_NAME, "A name", _FIRST, max_chars=_LONGEST, width=200)
        page.say_limits({_NAME: _LONGEST})
    with screen.beside:
        return page.read_and_say(_NAME, str(typed), _checked, _FIRST)


def _checked(raw: str) -> tuple[str, WhatWasRead]:
    name = page.checked_text(raw.strip().lower(), most=_LONGEST, name="the name")
    if not name:
        raise TextError("type a name of at least one letter")
    encode_name(name)  # or says which letters it does not know
    return name, sentence_as_read(raw, name)


@torch.no_grad()
def _read(results: ConvolutionResults, name: str) -> Read:
    tokens = torch.tensor([[0, *encode_name(name).tolist()]])
    with page.model_calls:
        responses = first_responses(results.character_cnn, [name])[0].numpy()
        logits = {
            which: model(tokens, model.initial_state(1))[0][0]
            for which, model in results.name_models.items()
        }
    return Read(responses, {which: each.softmax(-1).numpy() for which, each in logits.items()})


def names(screen: page.FirstScreen) -> None:
    """Draw the filters that respond most to a name, what follows each letter, and both losses."""
    name = _choose_name(screen)
    results = page.shipped(ConvolutionResults)
    found = _read(results, name)
    asked = _ask(screen, results)
    with screen.picture:
        st.markdown(f"**{_finding(found.responses, name)}**")
        page.playback_bar(
            STEP,
            len(name) + 1,
            lambda step: draw_names(results, found, name, step, asked),
            label="Letters read",
        )
    page.note_beside(
        screen,
        "A *character CNN* moves filters over letters. Each row is a filter. It sees three letters,"
        " ending at the column's, and responds alike wherever they stand, because its weights are the"
        " same everywhere. On its left are the letters it responds to most.",
    )
    if not page.is_presenting():
        _protocol(results)


def _ask(screen: page.FirstScreen, results: ConvolutionResults) -> page.Asked:
    means = {which: float(np.mean(results.test_losses(which))) for which in (CNN, MLP)}
    gap = means[MLP] - means[CNN]
    right = 1 if abs(gap) < _EQUAL else 0 if gap > 0 else 2
    return page.ask(
        screen,
        "names",
        "Both networks see nine letters and have 11,000 parameters. Which expects names that it"
        " has not seen better?",
        _ANSWERS,
        right=_ANSWERS[right],
        reason=f"**{means[CNN]:.3f}** nats a letter for the CNN, **{means[MLP]:.3f}** for the MLP. "
        + _REASONS[right],
    )


_REASONS = (
    "What the CNN learns of three letters at one place, it knows at every place, so it needs"
    " fewer names for it: a likely reason, which was not tested.",
    "A likely reason, which was not tested: names are short, so where letters stand matters"
    " almost as much as which they are.",
    "A likely reason, which was not tested: it has weights of its own for each place, and names"
    " are short, so places matter.",
)


def _finding(responses: np.ndarray, name: str) -> str:
    """Say where letters repeat, and that the filters' responses do."""
    for width in range(len(name) // 2, 2, -1):
        for start in range(len(name) - width + 1):
            again = name.find(name[start : start + width], start + 1)
            if again >= 0:
                first, second = (responses[:, at + width - 1] for at in (start, again))
                same = np.allclose(first, second, atol=1e-5)
                return (
                    f"“{name[start : start + width]}” appears twice, and all 48 filters respond"
                    f" {'alike' if same else 'differently'} to its end"
                )
    best = np.unravel_index(responses.argmax(), responses.shape)
    seen = (END * 2 + name)[int(best[1]) : int(best[1]) + 3]
    return f"The strongest response of all filters is to “{seen}”"


def _protocol(results: ConvolutionResults) -> None:
    """Say how the networks were trained."""
    made = results.provenance
    sizes = {score.network: score.parameters for score in results.names}
    context = results.character_cnn.config.context_size
    st.caption(
        f"Measured {made['date'][:10]}: {made['names']['steps']:,} steps of"
        f" {made['names']['batch']} names, AdamW; "
        + ", ".join(f"{which} {n:,} parameters" for which, n in sizes.items())
        + f", both with {context} letters in view. The CNN: 16 numbers a letter, 48 filters of 3"
        " letters, 48 filters of 3 of these, every third. The names are makemore's; 3,204 of"
        " 32,033 are for the test."
    )
