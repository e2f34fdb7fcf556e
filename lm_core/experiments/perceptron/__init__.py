"""What one line can divide and what networks learn: AND, OR, XOR, points of one's own."""
