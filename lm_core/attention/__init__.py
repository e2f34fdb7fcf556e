"""Attention: scores, heads, masks, positions, a transformer, and what they cost."""
