"""The parts of the page on how vectors are learned."""
