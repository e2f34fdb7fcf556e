"""Bengio's model: what embeddings share between words, on names and on a few sentences."""
