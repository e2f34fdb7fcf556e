"""The parts of the page on attention by hand."""
