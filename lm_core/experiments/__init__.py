"""Experiments: one folder each, named as the page that shows it."""
