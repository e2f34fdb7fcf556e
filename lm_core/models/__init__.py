"""Architectures: one readable file a family, and the contract of everything that predicts the next token."""
