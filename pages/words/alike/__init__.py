"""The parts of the page on words that are alike."""
