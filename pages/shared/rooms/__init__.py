"""Class rooms as a visit sees them: their database, and whether it is in one."""
