"""What becomes of tokens that are split into heads by `transpose`, and by `reshape` alone."""

import streamlit as st
import torch

from lm_core.errors import ShapeError
from lm_core.experiments.attention_by_hand.head_shapes import (
    Split,
    printed_output,
    share_of_own_token,
    split_into_heads,
)
from pages.attention_by_hand.times_of_heads import times_of_heads
from pages.shared import page
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.numbers import percent
from pages.shared.ui.markdown import as_code

_TOKENS = _WIDTH = 4
_HALF, _ALL, _MIXED = (
    "Some units of every token",
    "All units of the first tokens",
    "Numbers at random",
)


def heads_by_shape(screen: page.FirstScreen) -> None:
    """Draw the numbers of four tokens before and after they are split, and which token each is of."""
    with screen.controls:
        heads = page.segments("split_heads", "Heads", (2, 4))
    width = _WIDTH // heads
    asked = _ask(screen, heads)
    tokens, units = torch.arange(1, _TOKENS + 1), torch.arange(1, _WIDTH + 1)
    q = 100.0 * tokens[:, None] + units
    panels = {f"Q [{_TOKENS}, {_WIDTH}]": q}
    for split in Split:
        found = split_into_heads(q, heads, split)
        if split is Split.RESHAPE and asked.masks:
            found = torch.full_like(found, torch.nan)
        panels |= {f"{split} {i}": head for i, head in enumerate(found, 1)}
    frame = matrix_frame({name: values.numpy() for name, values in panels.items()})
    with screen.picture:
        st.markdown(f"**{_finding(heads, is_masked=asked.masks)}**")
        page.show_chart(
            matrix_panels(
                frame,
                per_line=1 + heads,
                alike=tuple(panels),
                row_names=[f"token {token}" for token in tokens.tolist()],
            ),
            key="head_shapes",
            alt=f"{_finding(heads, is_masked=asked.masks)}. 203 is unit 3 of token 2; the stronger the colour, the later the token.",
            name="head-shapes",
        )
    page.note_beside(
        screen,
        "A number's first digit is its token, the last its unit; the stronger the colour, the later the token. Above: "
        f"`view({_TOKENS}, {heads}, {width}).transpose(0, 1)`, which splits each row and then puts the"
        f" heads first, so that row 3 of each head is still token 3. Below: `reshape({heads}, {_TOKENS}, {width})`.",
    )
    page.below("A line of a lecture, run", "printed_line", _printed_line, icon="code")
    page.below("Head by head, or all at once", "head_times", times_of_heads, icon="timer")


def _finding(heads: int, *, is_masked: bool) -> str:
    kept = percent(share_of_own_token(_TOKENS, _WIDTH, heads, Split.TRANSPOSE))
    if is_masked:
        return f"With transpose {kept} of the numbers stand in their own token's row"
    lost = percent(share_of_own_token(_TOKENS, _WIDTH, heads, Split.RESHAPE))
    return (
        f"With transpose {kept} of the numbers stand in their own token's row, with reshape {lost}"
    )


def _ask(screen: page.FirstScreen, heads: int) -> page.Asked[str]:
    n = _TOKENS // heads
    held = "token 1" if n == 1 else f"tokens 1 to {n}"
    return page.ask(
        screen,
        f"head_shapes_{heads}",
        f"`reshape({heads}, {_TOKENS}, {_WIDTH // heads})` gives the same shape, and PyTorch raises no error. What"
        " does head 1 hold then?",
        (_HALF, _ALL, _MIXED),
        right=_ALL,
        reason=f"**All units of {held}**, and none of the others, because reshape cuts the numbers as they lie in"
        " memory, row after row. So head 1 never sees the later tokens, and what it mixes are pieces of the"
        " first ones. The shape is right, so nothing warns.",
    )


def _printed_line() -> None:
    """Run the line with as many tokens as units, and with more."""
    st.markdown(
        f"A lecture writes {as_code('softmax(Q1 @ K1.T) @ V1.T')} for the output of a head. The weights are"
        " [tokens, tokens] and V is [tokens, units], so it must be V1 without T."
    )
    rows = []
    for n_tokens in (_TOKENS, _TOKENS + 1):
        rng = torch.Generator().manual_seed(1)
        q, k, v = torch.randn(3, n_tokens, _WIDTH, generator=rng, dtype=torch.float64)
        right = torch.softmax(q @ k.T, -1) @ v
        try:
            off = (printed_output(q, k, v) - right).abs().max()
            said = f"no error, and numbers that are wrong by up to {off:.2f}"
        except ShapeError as error:
            said = str(error)
        rows.append((f"{n_tokens} tokens, {_WIDTH} units", said))
    page.show_rows(("Shapes", "What the line gives"), rows)
    st.markdown(
        "With as many tokens as units nothing warns, because both shapes are the same then. So try code of"
        " shapes with numbers that all differ."
    )
