"""The parts of the page on estimating a probability from a sample."""
