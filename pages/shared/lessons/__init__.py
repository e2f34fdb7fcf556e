"""Lessons: a file of steps, the bar that leads through them, and the sheet for the teacher."""
