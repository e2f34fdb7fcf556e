"""What stands around the picture of each page: sharing, trainings, and what the class does."""
