"""The rules of initialisation with the numbers on screen."""

import streamlit as st

from lm_core.models import deep_network as deep
from lm_core.models.deep_network import HE, NAIVE, ORTHOGONAL, XAVIER
from pages.gradients.networks_by_depth import EXAMPLES, TITLES, WIDTH, Network, Variances
from pages.shared import page
from pages.shared.numbers import significant


def draw_rules(network: Network, found: Variances, masked: str | None) -> None:
    """Show the lecture slides' derivation with the numbers on screen, and a row for each initialisation."""
    st.markdown(
        r"A sum $o_i = \sum_{j=1}^{n_\mathrm{in}} w_{ij} x_j$ of independent terms, with"
        r" $w_{ij} \sim \mathcal{N}(0, \sigma^2)$, $\mathbb{E}[x_j] = 0$ and $\mathbb{V}[x_j] = \gamma^2$, has"
        r" $\mathbb{E}[o_i] = 0$ and $\mathbb{V}[o_i] = n_\mathrm{in}\,\sigma^2 \gamma^2$. So it"
        r" keeps its variance forward if $n_\mathrm{in} \sigma^2 = 1$, backward if $n_\mathrm{out}"
        r" \sigma^2 = 1$. *Xavier's* (Glorot's)"
        r" initialisation meets both halfway: $\sigma^2 = 2 / (n_\mathrm{in} + n_\mathrm{out})$. *He's* doubles"
        r" it for ReLU, which halves $\mathbb{E}[x_j^2]$. *Orthogonal* weights keep not only the variance but"
        r" every length. With an activation $f$, theory has $n \sigma^2\, \mathbb{E}[f(a)^2]$ forward and"
        r" $n \sigma^2\, \mathbb{E}[f'(a)^2]$ backward, for normal $a$."
    )
    formulas = {
        NAIVE: rf"{network.deviation:g}^2",
        XAVIER: r"2 / (n_\mathrm{in} + n_\mathrm{out})",
        HE: r"2 / n_\mathrm{in}",
        ORTHOGONAL: r"1 / n",
    }
    rows = []
    for key, name in TITLES.items():
        variance = deep.weight_variance(key, WIDTH, WIDTH, network.deviation)
        gradients = (found.gradients[name][0], found.expected_gradients[name][0])
        at_input, in_theory = ("?" if name == masked else significant(v, 2) for v in gradients)
        at_end = significant(found.activations[name][-1], 2)
        variances = (f"{variance:g}", f"{WIDTH * variance:g}", at_end)
        rows.append((name, f"${formulas[key]}$", *variances, at_input, in_theory))
    forward = (f"σ² at n = {WIDTH}", "n·σ²", f"activations, layer {network.depth}")
    titles = ("initialisation", "σ²", *forward, "gradient at the input", "in theory")
    page.show_rows(titles, rows, sideways="rules")
    st.caption(
        f"{WIDTH} units in every layer, {EXAMPLES} examples; inputs and the gradient at the last layer are"
        " standard normal. The theory assumes infinitely wide layers, and for batch norm infinitely large"
        " batches, so lines and dots differ a little."
    )
