"""How to bring a pretrained model, and which is here."""

import streamlit as st

from lm_core.text.pretrained_folder import VARIABLE
from lm_core.training.checkpoints import CheckpointMeta
from pages.assistant.asked import metas
from pages.shared import page
from pages.shared.models.pretrained import PRETRAINED, pretrained_fault, show_pretrained
from pages.shared.ui.lesson import provenance

COMMANDS = f"""pip install huggingface_hub
hf download openai-community/gpt2 config.json tokenizer.json model.safetensors --local-dir gpt2
export {VARIABLE}=$PWD/gpt2
streamlit run app.py"""
"""How GPT-2 small comes to this page."""


def how_to_bring_one() -> None:
    """Say how a pretrained model is brought to the lab."""
    if fault := pretrained_fault():
        page.show_error(fault, st.warning)
    if page.is_presenting():
        st.markdown(
            "This server has no pretrained model, so its pages use the lab's own. Leave the"
            " presenter view to read how to bring one."
        )
        return
    st.markdown(
        "This server has no pretrained model, so its pages use the lab's own. With one in the"
        f" folder that `{VARIABLE}` names, this page, the writing, the surprise and the attention"
        " page offer it:"
    )
    st.code(COMMANDS, language="bash", wrap_lines=True)


def say_what_is_here(meta: CheckpointMeta | None) -> None:
    """Say what this server has, what is read, and what it costs."""
    st.header("What is read, and what it costs", anchor=False)
    sizes = "; ".join(
        f"{m.title}: {m.parameter_count / 1e6:,.1f} million parameters, {4 * m.parameter_count / 1e6:,.0f} MB"
        for m in metas().values()
        if m.name != PRETRAINED
    )
    st.markdown(
        "Read are GPT-2 of every size and models built like it (`model_type: gpt2`, such as"
        " distilgpt2 and DialoGPT), from `model.safetensors`, `config.json` and `tokenizer.json`,"
        " into this lab's own transformer. Pickled weights (`pytorch_model.bin`) are refused,"
        " because unpickling a file can run any code. Nothing is downloaded by this server. GPT-2"
        " small takes 500 MB of memory in float32 once it is chosen, and a tenth of a second for a"
        " token on one core."
    )
    st.caption(f"Here: {sizes}.".replace("*", "\\*"))
    if meta is not None:
        show_pretrained()
        provenance(meta)
