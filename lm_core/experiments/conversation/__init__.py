"""A conversation with books: the model that read 33 of them continues a dialogue, turn by turn."""
