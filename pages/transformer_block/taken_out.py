"""A part taken out of the trained model: what it then says, and how much worse it reads."""

import math
from collections.abc import Mapping

import pyarrow as pa
import streamlit as st

from lm_core.analysis.residual_stream import PARTS, Removed
from pages.shared import page
from pages.shared.charts.lines import Axis, LineStyle
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE
from pages.shared.charts.predictions import prediction_bars, prediction_table
from pages.shared.models.read_sentences import Sentence
from pages.shared.numbers import significant, written
from pages.shared.ui.markdown import as_code
from pages.transformer_block.bars_chart import part_bars
from pages.transformer_block.subject import choose_sentence
from pages.transformer_block.taken_out_runs import consequence, continued
from pages.transformer_block.trained_without import trained_without

_NAMES = {
    "attention": "attention",
    "feed_forward": "feed-forward",
    "residual": "residual path",
    "norm": "norm",
    "positions": "positions",
}
_WHOLE = "nothing"
_WHY = {
    "norm": "Without it every part after the first attention makes the numbers several times larger, so the softmax"
    " at the end sees enormous differences and is certain of one token, mostly a wrong one.",
    "attention": "Without it no token learns of another, so each prediction comes from one token.",
    "feed_forward": "With these networks goes much of what was learned, because they hold most of a block's weights.",
    "positions": "It suffers because only the causal mask still tells the order of the words.",
    "residual": "It suffers because the first block already replaces a token by a mixture of what it read.",
}
"""Why a part is missed that is taken out of every block."""
_WHY_IN_ONE = {
    "norm": "It matters because this block now reads numbers of another size than its weights were trained for.",
    "attention": "It matters because in this block no token learns of another, and the blocks after it were"
    " trained on what it brings.",
    "feed_forward": "With it goes much of what was learned, because it holds most of this block's weights.",
    "residual": "It matters because this block now replaces what all blocks before it have made, instead of"
    " adding to it.",
}
"""Why a part is missed that is taken out of a single block."""


def take_a_part_out(screen: page.FirstScreen) -> None:
    """Draw the loss without each part, and what the model says without the chosen one."""
    sentence, _ = choose_sentence(screen)
    picked = st.session_state.get("taken_bars", {}).get("selection", {}).get("pick") or []
    clicked = (
        {name: part for part, name in _NAMES.items()}.get(picked[0]["part"]) if picked else None
    )
    if clicked and st.session_state.get("taken_clicked") != clicked:
        st.session_state["taken"] = clicked
    st.session_state["taken_clicked"] = clicked
    with screen.controls:
        part = page.choice("taken", "Taken out", _NAMES, width=150)
        everywhere = {0: "every block"}
        blocks = everywhere | {i: f"block {i}" for i in range(1, sentence.config.layers + 1)}
        block = page.choice("of_block", "Of", blocks, width=130)
    layer = block - 1 if block else None
    losses = {name: consequence(sentence, (Removed(name, layer),)).loss for name in PARTS}
    whole = consequence(sentence, ()).loss
    worst = max(losses, key=losses.__getitem__)
    why = (_WHY if layer is None else _WHY_IN_ONE).get(worst, "")
    asked = page.ask(
        screen,
        "taken_out",
        f"One part is taken out of {blocks[block]} of this trained model. Which one does it miss most?",
        {name: name for name in _NAMES.values()},
        right=_NAMES[worst],
        reason=f"Without {_NAMES[worst]} the loss on this sentence goes from {whole:.2f} to"
        f" **{_nats(losses[worst])}** nats a token. {why} The model was trained with every part"
        " in its place: what it would have learned without one is another question, which the fold below"
        " answers.",
    )
    out = (Removed(part, layer),)
    with screen.picture:
        without = f"without {_NAMES[part]} in {blocks[block]}"
        loss = "?" if asked.masks else _nats(losses[part])
        st.markdown(f"**Loss on this sentence: {whole:.2f} nats a token, {without} {loss}**")
        left, right = st.columns(2, gap="small")
        with left:
            _losses(sentence, losses, whole, is_masked=asked.masks)
        if not asked.masks:
            with right:
                _prediction(sentence, out)
                _alike(sentence, out)
            _texts(sentence, out)
    page.note_beside(
        screen,
        "Grey outlines are the whole model. Without any *residual paths* a block replaces each vector by a"
        " mixture of what its heads read, and mixtures of the same tokens are alike, so the cosine mostly"
        " rises from block to block. At 1, which is called *rank collapse*, no position could be told from"
        " another.",
    )
    if not asked.masks:
        page.below("Trained without it, and the norm before or after", "trained", trained_without)


def _nats(loss: float) -> str:
    return written(loss, ".2f") if loss < 1_000 else significant(loss, 2)


def _losses(
    sentence: Sentence, losses: Mapping[str, float], whole: float, *, is_masked: bool
) -> None:
    ranked = sorted(losses, key=lambda name: -losses[name])
    shown = PARTS if is_masked else ranked
    # Twice what knowing nothing costs; a model that is worse than that is drawn whole.
    most = max(2.0 * math.log(sentence.config.vocabulary_size), 1.5 * whole)
    values = [None if is_masked else losses[name] for name in shown]
    table = pa.table(
        {
            "part": [*(_NAMES[name] for name in shown), _WHOLE],
            "value": pa.array([*values, whole], pa.float64()),
            "colour": [*[ORANGE] * len(shown), GREY],
        }
    )
    words = "" if is_masked else " ".join(f"{_NAMES[n]} {_nats(losses[n])};" for n in ranked)
    page.show_chart(
        part_bars(table, title="loss without it, nats a token", said=_nats, most=most, height=300),
        table.select(["part", "value"]),
        key="taken_bars",
        alt=f"Loss on the sentence without each part; without nothing {whole:.2f}. {words}",
        name="part-taken-out",
        selectable=not is_masked,
        is_small=True,
    )


def _prediction(sentence: Sentence, out: tuple[Removed, ...]) -> None:
    before, after = (consequence(sentence, without).next_token for without in ((), out))
    table = prediction_table(sentence.vocabulary.symbols, {"": after}, before=before, most=3)
    page.show_chart(
        prediction_bars(table, unit="token", colour=PURPLE, height=150),
        table,
        key="taken_next",
        alt="The likeliest next tokens without the part; outlines: the whole model.",
        name="next-token-without",
        is_small=True,
    )


def _alike(sentence: Sentence, out: tuple[Removed, ...]) -> None:
    lines = {
        name: [(float(i), y) for i, y in enumerate(consequence(sentence, without).cosines)]
        for name, without in (("whole", ()), ("without", out))
    }
    page.show_lines(
        "alike",
        lines,
        {"whole": LineStyle(GREY, 1), "without": LineStyle(BLUE)},
        Axis("stages behind", (0, len(lines["whole"]) - 1)),
        Axis("mean cosine", (min(0.0, *(y for _, y in lines["without"])), 1.0)),
        said="How alike the vectors of different positions are after each stage: 1 is all alike.",
        is_small=True,
        height=200,
    )


def _texts(sentence: Sentence, out: tuple[Removed, ...]) -> None:
    for name, without in (("Whole", ()), ("Without it", out)):
        st.markdown(f"{name}: {as_code(continued(sentence, without))}")
