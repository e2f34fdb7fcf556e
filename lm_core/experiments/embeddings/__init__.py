"""Word vectors as files for other programs."""
