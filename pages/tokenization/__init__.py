"""The page at /tokenization."""
