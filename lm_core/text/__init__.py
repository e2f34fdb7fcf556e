"""Corpora, vocabularies and what a prompt becomes before a model reads it."""
