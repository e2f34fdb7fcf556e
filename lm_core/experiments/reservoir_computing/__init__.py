"""Reservoirs and trained recurrent networks of the same size, on four tasks."""
