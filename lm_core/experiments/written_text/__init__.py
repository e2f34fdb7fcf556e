"""A text that a shipped model writes for others to learn from, as a run that all visitors share."""
