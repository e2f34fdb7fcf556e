"""The parts of the page on tokenization."""
