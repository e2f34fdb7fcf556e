"""The parts of the page on transformers that lack one."""
