"""Translators that differ in how they score a state against the words of the sentence."""
