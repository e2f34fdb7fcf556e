"""The picture: a column for each stage from the tokens to the logits, and one token's path through all."""

from contextlib import AbstractContextManager, nullcontext

import streamlit as st

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import Stage, Trace, stages
from pages.shared import page
from pages.shared.charts.palette import visible
from pages.shared.components.stage_columns import Column, Path, stage_columns
from pages.shared.models.head_links import links_to_heads
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import percent
from pages.transformer_block.differences import show_differences
from pages.transformer_block.numbers import one_column
from pages.transformer_block.question import ask_first_block
from pages.transformer_block.said_early import Lens, lens_of, spelled
from pages.transformer_block.shown_numbers import readable, stage_data, units_of_stream
from pages.transformer_block.stages import STAGES, described
from pages.transformer_block.subject import choose_sentence, choose_token, trace_of

_BARS = 5


def picture(screen: page.FirstScreen) -> None:
    """Draw every stage up to the one that is open, and the numbers of that one."""
    sentence, more = choose_sentence(screen)
    position = choose_token(sentence, more)
    n_stages = len(stages(sentence.config))
    asked = ask_first_block(screen, sentence, position)
    found = lens_of(sentence, position)
    p, word = percent(float(found.followed[-1, 0])), spelled(sentence, found.answer)
    # What is said of a stage stands below: on the first screen the picture is seen whole.
    below = nullcontext() if page.is_presenting() else st.container(key="one_stage")
    with screen.picture:
        st.markdown(
            f"**From {len(sentence.symbols)} tokens to the next one: {word} with {p}, after"
            f" {sentence.config.layers} blocks**"
        )
        page.playback_bar(
            "stage",
            n_stages,
            lambda step: _draw(sentence, position, step, asked, below),
            label="Stage",
            seconds_per_step=0.8,
        )
    page.note_beside(
        screen,
        "Each column is one stage, with a row for each token and a few of its numbers: orange above 0,"
        " blue below. The line is one token's way. At **heads** other tokens flow into it; everywhere"
        " else it is alone. The bow above is the *residual stream*: what a part makes is only added to"
        " it, so nothing is overwritten. Tap a column or a token.",
    )
    title = "Where this model and the readable code differ"
    page.below(title, "differences", show_differences, sentence.config, icon="code")


def _draw(
    sentence: Sentence,
    position: int,
    step: int,
    asked: page.Asked[int],
    below: AbstractContextManager[object],
) -> None:
    if st.session_state.get("token", position) != position:
        st.rerun()  # another token was tapped: what lies outside the steps is about it, too
    found, lens = trace_of(sentence), lens_of(sentence, position)
    stage = stages(sentence.config)[step]
    open_layer = _open_layer(stage, sentence.config.layers)
    columns = _columns(sentence, found, lens, stage, open_layer, is_masked=asked.masks)
    symbols = sentence.vocabulary.symbols
    bars = [
        (visible(symbols[int(i)]), float(p))
        for i, p in zip(lens.best[-1][:_BARS], lens.probabilities[-1], strict=False)
    ]
    path = Path(
        [visible(symbol) for symbol in sentence.symbols],
        position,
        max((i for i, column in enumerate(columns) if column.stage <= step), default=0),
        found.weights[open_layer][:, position].mean(0).tolist(),
        bars,
        f"Block {open_layer + 1} of {sentence.config.layers}",
    )
    stage_columns(
        columns,
        path,
        key="stage_columns",
        name="transformer-block",
        label=f"{len(columns)} stages from the tokens to the logits; open: {STAGES[stage.name].name}."
        " Arrow keys move, Enter opens.",
        hint="" if page.is_presenting() else "Tap a column: its numbers. Tap a token: its way.",
        height=260 if len(sentence.symbols) <= 24 else 420,
        on_choose=_chosen,
    )
    if not page.is_presenting():
        stage_data(sentence, found, stage, lens)
    if stage.name == stream.HEADS and not page.is_presenting():
        layer = open_layer
        heads = {(layer, i): f"{layer + 1}.{i + 1}" for i in range(sentence.config.heads)}
        links_to_heads(sentence, heads, position)
    with below:
        one_column(sentence, found, stage, position)


def _chosen(kind: str, number: int) -> None:
    if kind == "token":
        st.session_state["token"] = number
    else:
        page.go_to("stage", number)


def _open_layer(stage: Stage, layers: int) -> int:
    """Return the block whose stages are all drawn: the one of a stage, or the one nearest to it."""
    if stage.layer is not None:
        return stage.layer
    return layers - 1 if stage in (stream.OUTPUT_NORM, stream.LOGITS) else 0


def _columns(
    sentence: Sentence, found: Trace, lens: Lens, opened: Stage, open_layer: int, *, is_masked: bool
) -> list[Column]:
    config, symbols = sentence.config, sentence.vocabulary.symbols
    units = units_of_stream(sentence, found)
    said = {stage: int(best[0]) for stage, best in zip(lens.stages, lens.best, strict=True)}
    columns = []
    for number, stage in enumerate(stages(config)):
        is_inside = stage.layer == open_layer
        is_end = stage.name == stream.AFTER_FEED_FORWARD
        if stage.layer is not None and not is_inside and not is_end:
            continue
        is_what, values = described(stage, config), found[stage]
        name = is_what.short if is_inside or stage.layer is None else f"block {stage.layer + 1}"
        word = symbols[said[stage]].strip() if stage in said else ""
        columns.append(
            Column(
                number,
                name,
                readable(found, stage, lens, units),
                f"{is_what.name}, {list(values.shape)}. {is_what.meaning}",
                is_stream=stage in said,
                is_inside=is_inside,
                is_open=stage == opened,
                mixes=stage.name == stream.HEADS,
                said=word if is_end and not is_masked else "",
            )
        )
    return columns
