"""What positions add to attention scores, and which encodings distinguish equal words."""
