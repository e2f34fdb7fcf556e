"""Estimating P(bird | features) from a sample: counting, logistic regression, a small network."""
