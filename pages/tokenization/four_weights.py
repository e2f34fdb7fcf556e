"""A line through four tokens: with the number one weight for all of them, with one-hot vectors one for each."""

import streamlit as st
import torch

from lm_core.experiments.tokenization.integer_inputs import least_squares
from pages.shared import page
from pages.shared.charts.matrices import matrix_frame, matrix_panels
from pages.shared.numbers import significant

_TARGETS = {"a": 3.0, "b": -1.0, "c": 2.0, "d": 0.5}


def four_weights() -> None:
    """Fit what a visitor wants of four tokens, from their numbers 1 to 4 and from their one-hot vectors."""
    st.subheader("One weight, or one for each?", anchor=False)
    left, right = st.columns([1, 2.4], gap="medium")
    with left, st.container(horizontal=True, key="targets_of_tokens"):
        wanted = [
            page.number(f"target_{token}", f"Wanted for {token}", -9.0, 9.0, value, width=130)
            for token, value in _TARGETS.items()
        ]
    targets = torch.tensor(wanted, dtype=torch.float64)
    numbers = torch.arange(1, len(wanted) + 1, dtype=torch.float64).unsqueeze(1)
    vectors = torch.eye(len(wanted), dtype=torch.float64)
    (weight,), weights = (least_squares(inputs, targets) for inputs in (numbers, vectors))
    frame = matrix_frame(
        {
            "wanted": targets.unsqueeze(1).numpy(),
            "x": numbers.numpy(),
            "b · x": (weight * numbers).numpy(),
            "one-hot z": vectors.numpy(),
            "b₁…b₄ · z": (vectors @ weights).unsqueeze(1).numpy(),
        }
    )
    finding = f"The best single weight is {significant(float(weight), 3)}, and it misses"
    missed = float((weight * numbers.squeeze(1) - targets).abs().max())
    finding += f" one token by {significant(missed, 3)}; four weights miss none"
    with right:
        st.markdown(f"**{finding}**")
        page.show_chart(
            matrix_panels(
                frame,
                per_line=5,
                row_names=list(_TARGETS),
                alike=("wanted", "b · x", "b₁…b₄ · z"),
                height=170,
            ),
            key="four_weights",
            alt=finding,
            name="one-weight-or-four",
        )
    st.markdown(
        "Linear regression with *y = b · x* has one weight for all tokens, so what it says of *d* is four times"
        " what it says of *a*. Each token's one-hot vector has its 1 at another place, so *y* becomes"
        " b₁z₁ + b₂z₂ + b₃z₃ + b₄z₄: each token has a weight of its own, and the weight that fits it best is"
        " the wanted value itself."
    )
