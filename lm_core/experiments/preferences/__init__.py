"""A writer that is taught what we like: rewards, comparisons, and how far it moves for them."""
