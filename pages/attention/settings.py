"""The controls: what the model reads, which head is shown, and what is changed in the model."""

import contextlib
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from lm_core.analysis.attention_trace import Intervention
from lm_core.errors import ResultError
from lm_core.models.transformer import TransformerLanguageModelConfig
from lm_core.training.checkpoints import CheckpointMeta
from pages.attention.traces import SINK, Choice, patterns_of, scores_on_the_book
from pages.shared import page
from pages.shared.models.read_sentences import (
    MODEL,
    MOST_CHARACTERS,
    Sentence,
    readable,
    snapshots,
    titles,
)
from pages.shared.ui.controls import begin_anew
from pages.shared.ui.text_input import read_or_keep
from pages.shared.ui.what_was_read import show_what_was_changed

SENTENCES = (
    "Natasha came to Prince Andrew, and he kissed her",
    "Natasha saw Pierre, and Pierre saw Natasha",
    "The prince answered nothing, but she looked at him significantly, awaiting a reply",
    "a quick brown fox jumps over a lazy dog",
    "Ban on nude dancing on Governor's desk",
)
"""The last three are from a blog series on transformers."""

_HEAD_OF = {SENTENCES[1]: (1, 1)}
"""The layer and head of `MODEL` that an example is about: what of Natasha has been read?"""

_FIRST_PATTERNS = ("name of a pronoun", "start of the word")
"""The page begins with the head that follows the first of them most that was measured."""

HEADS = "heads"
"""The fragment with the controls of the model's changes, which a click elsewhere runs again."""
_WANTED = "attention_wanted"
"""What such a click sets, by the control's name, until the controls are drawn."""

TEMPERATURES = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


def choose_sentence(more: DeltaGenerator, notes: DeltaGenerator) -> Sentence:
    """Draw the sentence, the model and the training step; what cannot be read stops the page.

    Parameters
    ----------
    more : DeltaGenerator, where model and training step go
    notes : DeltaGenerator
        Where it is said what the model cannot read: in the row of controls it would leave the sentence
        no room, just when it is to be changed.
    """
    models = titles()
    typed = page.text(
        "sentence",
        "Sentence",
        SENTENCES[0],
        label_visibility="collapsed",
        placeholder=f"2 to {MOST_CHARACTERS} characters",
        width="stretch",
    )
    st.menu_button("Examples", SENTENCES, key="examples", on_click=_take_example)
    with more:
        name = page.choice("model", "Model", list(models), format_func=models.__getitem__)
    kept = snapshots(name)
    steps = list(kept)[-1]
    if len(kept) > 1:
        with more:
            steps = page.pick(
                "snapshot",
                "Snapshot at step",
                list(kept),
                steps,
                format_func=lambda steps: f"{steps:,}",
            )
    with notes:
        return read_sentence(typed, kept[steps])


def read_sentence(typed: str, meta: CheckpointMeta) -> Sentence:
    """Return the sentence as the model reads it, and say what it leaves out or changes."""
    text, was_read = read_or_keep("sentence", typed, partial(readable, meta), SENTENCES[0])
    show_what_was_changed(was_read, "sentence")
    return Sentence(meta, text)


def first_head(model: str) -> tuple[int, int]:
    """Return the head that the page begins with: on the book it follows a pattern most, or on a sentence.

    It is that of the trained model at all of its snapshots, so that one sees this head learn.
    """
    meta = [*snapshots(model).values()][-1]
    scores = None
    with contextlib.suppress(ResultError):  # the table of scores says what is wrong with them
        scores = scores_on_the_book(meta)
    found = scores.patterns if scores else patterns_of(Sentence(meta, SENTENCES[0]))
    measured = {pattern.pattern for pattern in found}
    first = next((name for name in _FIRST_PATTERNS if name in measured), found[0].pattern)
    best = max((p for p in found if p.pattern == first), key=lambda p: p.excess)
    return best.layer, best.head


def choose_one_of(name: str, model: str, count: int, first: int) -> int:
    """Draw a layer's or a head's number, and return it, from 0; `first` where nobody chooses.

    Another model begins with its own.
    """
    begin_anew(name, model, first + 1)
    number = page.segments(name, name.capitalize(), range(1, count + 1), first + 1)
    return number - 1


def choose_sink() -> str:
    """Draw how the pictures treat the first token."""
    return page.segments(
        "sink",
        "First token in the pictures",
        SINK,
        help="In large models such as GPT-2, a head that finds nothing puts its weight on the first token,"
        " the *attention sink*. The small model that this page opens on does not: on average its"
        " first token gets less than an even share. Hiding it changes the pictures and not"
        " the model, because it is done to finished weights. If they are renormalised, the other weights add up to 1 again.",
    )


def choose_intervention(config: TransformerLanguageModelConfig) -> Intervention:
    """Draw what may be changed in the model while it reads."""
    for name, value in st.session_state.pop(_WANTED, {}).items():
        st.session_state[name] = value
    with st.container(horizontal=True):
        is_causal = page.switch(
            "causal",
            "Causal mask",
            config.causal,
            help=(
                "Switched off, every token attends to the tokens after it, too. It never could in training, so the"
                " heads do not know what to do with them."
            ),
        )
        is_scaled = page.switch(
            "scaled",
            "Divide by √d",
            True,
            help=f"Queries and keys of a head have d = {config.head_width} numbers, and a sum of"
            " more products is larger, so scores are divided by √d.",
        )
    temperature = page.pick(
        "attention_temperature",
        "Attention temperature",
        TEMPERATURES,
        1.0,
        format_func=lambda temperature: f"{temperature:g}",
        help="It divides the scores of all heads. Below 1 their differences grow, so each head attends to fewer tokens;"
        " above 1 they shrink, and it attends to more.",
    )
    names = [f"{i}.{j}" for i in range(1, config.layers + 1) for j in range(1, config.heads + 1)]
    heads = page.control(
        st.multiselect,
        "ablated_heads",
        "Ablated heads",
        names,
        placeholder="layer.head",
        help="*Ablation* sets the output of a head to zero.",
    )
    layers = page.control(
        st.pills,
        "ablated_layers",
        "Ablated layers",
        range(1, config.layers + 1),
        selection_mode="multi",
    )
    return Intervention(
        frozenset(_place(name) for name in heads),
        frozenset(number - 1 for number in layers),
        is_scaled,
        temperature,
        None if is_causal == config.causal else is_causal,
    )


def _place(name: str) -> tuple[int, int]:
    """Return the layer and the head that a name such as "4.8" counts from 1."""
    layer, head = name.split(".")
    return int(layer) - 1, int(head) - 1


def ablation_buttons(choice: Choice) -> None:
    """Draw the buttons that ablate the chosen head, and that undo all changes."""
    name = f"{choice.layer + 1}.{choice.head + 1}"
    ablated = [f"{i + 1}.{j + 1}" for i, j in sorted(choice.intervention.heads)]
    is_ablated = name in ablated
    rest = [other for other in ablated if other != name] if is_ablated else [*ablated, name]
    is_causal = choice.sentence.config.causal
    st.button(
        f"Restore {name}" if is_ablated else f"Ablate {name}",
        icon=":material/undo:" if is_ablated else ":material/block:",
        key="ablate",
        on_click=_change,
        args=({"ablated_heads": rest},),
    )
    st.button(
        "Undo all",
        type="tertiary",
        key="undo_all",
        disabled=choice.intervention == Intervention(),
        on_click=_undo_all,
        args=(is_causal,),
    )


def described(intervention: Intervention) -> str:
    """Return an intervention in a few words; nothing for none."""
    parts = []
    if intervention.is_causal is not None:
        parts.append(f"mask {'on' if intervention.is_causal else 'off'}")
    if not intervention.is_scaled:
        parts.append("no division by √d")
    if intervention.temperature != 1.0:
        parts.append(f"temperature {intervention.temperature:g}")
    if intervention.heads:
        names = ", ".join(f"{i + 1}.{j + 1}" for i, j in sorted(intervention.heads))
        parts.append(f"without {'head' if len(intervention.heads) == 1 else 'heads'} {names}")
    if intervention.layers:
        names = ", ".join(str(i + 1) for i in sorted(intervention.layers))
        parts.append(f"without {'layer' if len(intervention.layers) == 1 else 'layers'} {names}")
    return ", ".join(parts)


def _take_example() -> None:
    sentence = st.session_state["sentence"] = st.session_state["examples"]
    model = st.session_state.get("model", MODEL)
    first = tuple(number + 1 for number in first_head(model))
    head = _HEAD_OF.get(sentence, first) if model == MODEL else first
    st.session_state["layer"], st.session_state["head"] = head


def switch(name: str) -> None:
    """Turn the toggle of this name; call it in a callback."""
    _change({name: not st.session_state[name]})


def _undo_all(is_causal: bool) -> None:
    # Set, not forgotten: a control that is forgotten takes its value from the link again.
    unchanged = {"ablated_heads": [], "ablated_layers": [], "causal": is_causal, "scaled": True}
    _change(unchanged | {"attention_temperature": 1.0})


def _change(values: dict[str, object]) -> None:
    """Set controls of the fragment `HEADS` from a callback in another, and run it again."""
    st.session_state[_WANTED] = values
    st.rerun(HEADS)
