"""The parts of the page on what attention costs."""
