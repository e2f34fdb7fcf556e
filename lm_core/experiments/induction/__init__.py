"""What makes an induction head form in a small transformer."""
