"""How many minimal pairs of English sentences a language model gets right."""
