"""Pairs of prompts that differ in one word, and which cell of the transformer of the 33 books decides between them."""
