"""Modular addition, learned by heart at first and by rule much later: grokking."""
