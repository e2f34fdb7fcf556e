"""Faster twins of readable models, each tested equal to the one that it replaces."""
