"""A small CNN and an MLP of equal size on digits: moved ones, and a digit that the class draws, layer by layer."""

import streamlit as st

from lm_core.experiments.convolution.results import ConvolutionResults
from lm_core.experiments.convolution.study import CNN
from lm_core.experiments.convolution.training import CENTRED
from pages.convolution.digit_choice import INSIDE, choose_digit
from pages.convolution.inside_cnn import inside_cnn
from pages.convolution.moved_digits import moved_digits
from pages.shared import page


def digits(screen: page.FirstScreen) -> None:
    """Draw how many moved digits each network reads, or the CNN's filters and maps for one digit."""
    shown = choose_digit(screen)
    results = page.shipped(ConvolutionResults)
    if shown.view == INSIDE:
        inside_cnn(screen, results, shown)
    else:
        moved_digits(screen, results, shown)
    if not page.is_presenting():
        _protocol(results)


def _protocol(results: ConvolutionResults) -> None:
    """Say how the networks were trained."""
    made = results.provenance
    sizes = {score.network: score.parameters for score in results.digits}
    n_seeds = len(results.of_seeds(CNN, CENTRED))
    st.caption(
        f"Measured {made['date'][:10]}: means of {n_seeds} seeds; "
        + ", ".join(f"{name} {n:,} parameters" for name, n in sizes.items())
        + f"; {made['digits']['steps']:,} steps of {made['digits']['batch']} of 1,297 digits, AdamW. Networks on"
        " screen are those of the first seed. Digits: E. Alpaydin and C. Kaynak, UCI Machine Learning Repository,"
        " CC BY 4.0; on a canvas of 12 × 12 none loses a pixel by moving."
    )
