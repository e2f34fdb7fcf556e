"""Who remembers the beginning: many small networks that learn to name the first symbol, at once."""
