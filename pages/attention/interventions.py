"""What is changed in the model: heads switched off, a mask, a temperature."""

import streamlit as st

from lm_core.analysis.attention_trace import Intervention
from lm_core.models.transformer import TransformerLanguageModelConfig
from pages.attention.settings import TEMPERATURES, WANTED, change
from pages.attention.traces import Choice
from pages.shared import page


def choose_intervention(config: TransformerLanguageModelConfig) -> Intervention:
    """Draw what may be changed in the model while it reads."""
    for name, value in st.session_state.pop(WANTED, {}).items():
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
            " more products varies more, so scores are divided by √d.",
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
    layers = page.several("ablated_layers", "Ablated layers", range(1, config.layers + 1))
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
        on_click=change,
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


def _undo_all(is_causal: bool) -> None:
    # Set, not forgotten: a control that is forgotten takes its value from the link again.
    unchanged = {"ablated_heads": [], "ablated_layers": [], "causal": is_causal, "scaled": True}
    change(unchanged | {"attention_temperature": 1.0})
