"""Why an update is a mean, what a component without points does, and why EM and not the gradient: in formulas."""

import streamlit as st


def formulas() -> None:
    """Write what each method makes small or large, and where its steps come from."""
    left, right = st.columns(2, gap="medium")
    with left:
        st.markdown(
            "**k-means**: rₙₖ is 1 if point n belongs to cluster k and 0 otherwise, one 1 in each row of R."
        )
        st.latex(r"J(R, \mu) = \sum_n \sum_k r_{nk}\, \lVert x_n - \mu_k \rVert^2")
        st.markdown(
            "With R fixed, J is smallest where its derivative is 0, and that is the mean of the cluster:"
        )
        st.latex(r"\frac{\partial J}{\partial \mu_k} = -2 \sum_n r_{nk}\,(x_n - \mu_k) = 0")
        st.latex(r"\Rightarrow\; \mu_k = \sum_n r_{nk}\, x_n \,/\, \sum_n r_{nk}")
        st.markdown(
            "A cluster without points has a column of zeros in R: the derivative is 0 wherever μₖ is, so any place"
            " would do, and the fraction is 0/0. This page then gives it the point that is farthest from its own"
            " centre, so that no cluster is wasted."
        )
    with right:
        st.markdown(
            "**EM**: a *latent variable* z says from which component a point was drawn. Nobody has seen it, so the"
            " density of x is the sum over all its values:"
        )
        st.latex(r"p(x) = \sum_k p(z = k)\, p(x \mid z = k)")
        st.latex(r"= \sum_k \pi_k\, \mathcal{N}(x; \mu_k, \Sigma_k)")
        st.markdown(
            "The logarithm of a sum does not split, so the derivative keeps all parameters together:"
        )
        st.latex(
            r"\frac{\partial}{\partial \mu_k} \sum_n \log p(x_n) = \sum_n r_{nk}\, \Sigma_k^{-1} (x_n - \mu_k)"
        )
        st.latex(r"r_{nk} = \pi_k\, \mathcal{N}(x_n; \mu_k, \Sigma_k) \,/\, p(x_n)")
        st.markdown(
            "It is 0 at a weighted mean, but the weights rₙₖ depend on the very means that are sought, so nobody can"
            " solve for them at once. EM takes turns: the E-step fixes the weights, the M-step takes the means."
            " Gradient ascent climbs the same hill, but needs a rate and must keep weights and covariances valid."
        )
