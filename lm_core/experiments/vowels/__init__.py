"""Markov's count of 1913, on the texts of the lab."""
