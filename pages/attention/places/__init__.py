"""The parts of the page on positions."""
