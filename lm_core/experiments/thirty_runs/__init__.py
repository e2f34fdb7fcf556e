"""The same experiment many times, each run with a seed of its own."""
