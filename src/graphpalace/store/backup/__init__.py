"""Read a whole database as it was at one moment, and fill an empty one."""
