"""Optimisers on losses of two parameters, where every step can be seen."""
