"""Tokenizers: from a text to numbers and back."""
