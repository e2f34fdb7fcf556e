"""Units of a network: over a text, and found by painting where one should be on."""
