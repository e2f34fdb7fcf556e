"""The page at /sequence-models."""
