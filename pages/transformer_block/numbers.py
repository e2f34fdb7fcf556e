"""A column opened: its shape, the line of code that makes it, and one of its numbers worked out."""

import streamlit as st

from lm_core.analysis.residual_stream import HEADS, LOGITS, Stage, Trace
from lm_core.analysis.worked_number import (
    GELU,
    LOOKED_UP,
    NORM,
    Term,
    Worked,
    product,
    worked_number,
)
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.models.read_sentences import Sentence, sentence_of, transformer
from pages.shared.ui.markdown import as_code
from pages.transformer_block.differences import difference_at
from pages.transformer_block.stages import described, line_of
from pages.transformer_block.subject import trace_of


@st.cache_data(max_entries=512, show_spinner=False)
def _worked(name: str, weights_sha256: str, text: str, stage: Stage, position: int) -> Worked:
    found = trace_of(sentence_of(name, text))
    return worked_number(transformer(name, weights_sha256), found, stage, position)


def one_column(sentence: Sentence, found: Trace, stage: Stage, position: int) -> None:
    """Write what a stage is, which line of the readable code makes it, and its largest number worked out."""
    one = described(stage, sentence.config)
    number, line = line_of(stage.name)
    where = "" if stage.layer is None else f" of block {stage.layer + 1}"
    shape = " × ".join(map(str, found[stage].shape))
    meaning = "" if page.is_presenting() else f" {one.meaning}"  # the picture needs the room
    st.markdown(f"**{one.name[0].upper()}{one.name[1:]}{where}** `{one.shape}` = {shape}.{meaning}")
    if page.is_presenting():
        return
    different = difference_at(sentence.config, stage.name)
    st.markdown(f"`gpt.py`, line {number}: `{line}`  \n{different}".rstrip())
    worked = _worked(*sentence.key, stage, position)
    st.latex(equation(worked, stage))
    st.caption(_about(sentence, worked, stage, position))


def _about(sentence: Sentence, worked: Worked, stage: Stage, position: int) -> str:
    token = as_code(visible(sentence.symbols[position]))
    if stage == LOGITS:
        likeliest = as_code(visible(sentence.vocabulary.symbols[worked.unit]))
        return f"The largest logit after {token}, that of {likeliest}."
    return f"The largest number of {token} here, number {worked.unit + 1}."


def equation(worked: Worked, stage: Stage) -> str:
    """Return how a number comes about, as LaTeX with the numbers put in."""
    if worked.kind == LOOKED_UP:
        return f"{_number(worked.value)} \\quad\\text{{(read from the table)}}"
    if worked.kind == NORM:
        x, mean, spread, gain, bias = map(_number, worked.terms[0].factors)
        return (
            rf"\frac{{{x} - {_bracket(mean)}}}{{{spread}}} \cdot {_bracket(gain)} + {_bracket(bias)}"
            f" = {_number(worked.value)}"
        )
    if worked.kind == GELU:
        return rf"\text{{GELU}}({_number(worked.terms[0].factors[0])}) = {_number(worked.value)}"
    return f"{' + '.join(_summand(term, stage) for term in worked.terms)} = {_number(worked.value)}"


def _summand(term: Term, stage: Stage) -> str:
    if term.source == -2:
        return rf"\underbrace{{{_bracket(_number(product(term)))}}}_{{\text{{all others}}}}"
    written = r" \cdot ".join(_bracket(_number(factor)) for factor in term.factors)
    if term.source == -1:
        return rf"\underbrace{{{written}}}_{{\text{{bias}}}}"
    if stage.name == HEADS:
        return rf"\underbrace{{{written}}}_{{\text{{token }}{term.source + 1}}}"
    return written


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) >= 0.01 or value == 0.0 else f"{value:.3f}"


def _bracket(number: str) -> str:
    return f"({number})" if number.startswith("-") else number
