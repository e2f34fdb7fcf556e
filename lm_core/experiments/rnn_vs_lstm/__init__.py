"""Which network recalls the first symbol of a sequence, by its length."""
