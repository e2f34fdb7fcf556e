"""The parts of the page on learned word parts."""
