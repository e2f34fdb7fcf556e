"""Part-of-speech tagging: how many neighbours a word's tag depends on."""
