"""Who says it: what each head and each feed-forward network adds to the logit of a token."""

from collections.abc import Iterable

import pyarrow as pa
import streamlit as st

from lm_core.analysis import residual_stream as stream
from lm_core.analysis.residual_stream import Contribution, contributions
from pages.shared import page
from pages.shared.charts.palette import BLUE, GREY, ORANGE, PURPLE, visible
from pages.shared.models.head_links import links_to_heads
from pages.shared.models.read_sentences import Sentence, sentence_of, transformer
from pages.shared.numbers import written
from pages.shared.turns import model_calls
from pages.transformer_block.bars_chart import part_bars
from pages.transformer_block.said_early import lens_of, spelled
from pages.transformer_block.subject import choose_sentence, choose_token, trace_of

_MOST, _MOST_PRESENTED = 14, 8
"""Bars of single parts; the others are one bar."""
_MOST_HEADS = 5
"""Heads that are to be looked at by themselves."""
_HEADS, _NETWORKS, _TOKEN = (
    "All attention heads together",
    "All feed-forward networks together",
    "The last token's own vector",
)
_KINDS = {
    _HEADS: (PURPLE, (stream.HEADS, stream.ATTENTION)),
    _NETWORKS: (ORANGE, (stream.NARROWED,)),
    _TOKEN: (BLUE, ("tokens", "positions")),
}


@st.cache_data(max_entries=128, show_spinner=False)
def _contributions(
    name: str, weights_sha256: str, text: str, position: int, token: int, against: int | None
) -> tuple[Contribution, ...]:
    found = trace_of(sentence_of(name, text))
    with model_calls:
        return contributions(transformer(name, weights_sha256), found, position, token, against)


def who_says_it(screen: page.FirstScreen) -> None:
    """Draw the shares of a token's logit, the largest first; they add up to it."""
    sentence, more = choose_sentence(screen)
    symbols, position = sentence.vocabulary.symbols, choose_token(sentence, more)
    with more:
        best = lens_of(sentence, position).best[-1].tolist()
        named = {i: visible(symbols[i]) for i in best}
        token = page.choice("of", "Logit of", named)
        rivals = {-1: "nothing"} | {i: word for i, word in named.items() if i != token}
        against = page.choice("against", "Minus that of", rivals)
    parts = _contributions(*sentence.key, position, token, None if against < 0 else against)
    by_kind = {kind: _sum(parts, names) for kind, (_, names) in _KINDS.items()}
    said = f"the logit of {spelled(sentence, token)}"
    if against >= 0:
        said = f"the lead of {spelled(sentence, token)} over {spelled(sentence, against)}"
    total = sum(part.value for part in parts)
    asked = page.ask(
        screen,
        "largest_part",
        f"What adds most to {said}?",
        {kind: kind for kind in _KINDS},
        right=max(by_kind, key=by_kind.__getitem__),
        reason=f"{_listed(by_kind)}. Heads can bring what stands earlier in the sentence. A feed-forward"
        " network sees the token's own vector alone, with what the heads before it have put there,"
        " so it can only bring what belongs to that.",
    )
    with screen.picture:
        st.markdown(
            f"**{said[0].upper()}{said[1:]} after {spelled_token(sentence, position)} is {total:+.2f}:"
            f" the sum of {len(parts)} parts**"
        )
        _bars(parts, is_masked=asked.masks)
        if not (asked.masks or page.is_presenting()):
            links_to_heads(sentence, _largest_heads(parts), position)
    page.note_beside(
        screen,
        "The stream is a sum, so a logit is one too: *direct attribution* gives each part its share. The sum"
        " is exact. But the last norm divides all shares by one number, the spread of the whole stream, which"
        " every part has a hand in; and what a part does by way of later parts is counted as theirs.",
    )


def spelled_token(sentence: Sentence, position: int) -> str:
    """Return a token of the sentence as a heading quotes it."""
    return spelled(sentence, int(sentence.ids[position]))


def _sum(parts: Iterable[Contribution], names: tuple[str, ...]) -> float:
    return sum(part.value for part in parts if part.stage.name in names)


def _listed(by_kind: dict[str, float]) -> str:
    return "; ".join(
        f"{kind.lower()}: **{value:+.2f}**" for kind, value in by_kind.items()
    ).capitalize()


def part_name(part: Contribution) -> str:
    """Return what a part is called: a head by its layer and its number."""
    stage, head, _ = part
    if stage.layer is None:
        return {"tokens": "the token", "positions": "its position"}.get(stage.name, "biases")
    if head is not None:
        return f"head {stage.layer + 1}.{head + 1}"
    kind = "feed-forward" if stage.name == stream.NARROWED else "attention's bias"
    return f"{kind} {stage.layer + 1}"


def _largest_heads(parts: Iterable[Contribution]) -> dict[tuple[int, int], str]:
    """Return the heads with the largest shares, by layer and head, and what is said of each."""
    heads = sorted((p for p in parts if p.head is not None), key=lambda part: -abs(part.value))
    return {
        (part.stage.layer or 0, part.head or 0): f"{part_name(part)}: {_share(part.value)}"
        for part in heads[:_MOST_HEADS]
    }


def _share(value: float) -> str:
    return written(value, "+.2f")


def _bars(parts: tuple[Contribution, ...], *, is_masked: bool) -> None:
    colour = {name: colour for colour, names in _KINDS.values() for name in names}
    ranked = sorted(parts, key=lambda part: -abs(part.value))
    most = _MOST_PRESENTED if page.is_presenting() else _MOST
    single = sorted(ranked[:most], key=lambda part: -part.value)
    rows: list[tuple[str, float | None, str]] = [
        (part_name(p), p.value, colour.get(p.stage.name, GREY)) for p in single
    ]
    if rest := ranked[most:]:
        rows.append((f"{len(rest)} others", sum(p.value for p in rest), GREY))
    if is_masked:
        rows = [("head or network?", None, GREY)]
    names, values, colours = map(list, zip(*rows, strict=True))
    table = pa.table({"part": names, "value": pa.array(values, pa.float64()), "colour": colours})
    words = " ".join(f"{n} {v:+.2f};" for n, v, _ in rows if v is not None)
    page.show_chart(
        part_bars(table, title="share of the logit", said=_share, height=380),
        table.select(["part", "value"]),
        key="shares",
        alt=f"Share of each part, violet for heads, orange for feed-forward networks. {words}",
        name="shares-of-a-logit",
    )
