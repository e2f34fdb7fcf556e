"""Points to cluster that a visitor brings or changes, and words as points."""
