"""What attention costs in time and memory, and what its approximations lose."""
