"""k-means and Gaussian mixtures, half-step by half-step, with the data sets to try them on."""
