"""What filters see: pictures painted by hand, numbers of the lecture slides, digits, and letters of names."""
