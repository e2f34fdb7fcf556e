"""Recurrent networks: what a model can carry from one step to the next."""
