"""Count models: what the last few characters alone say about the next."""
