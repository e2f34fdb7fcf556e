"""The parts of the page that looks inside recurrent cells."""
