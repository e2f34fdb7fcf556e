"""The parts of the War and Peace page, one picture each."""
