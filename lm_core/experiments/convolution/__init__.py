"""What filters see: pictures painted by hand, numbers of the slides, digits, and letters of names."""
