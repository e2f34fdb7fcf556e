"""k-means and Gaussian mixtures, step by step, with the data sets to try them on."""
