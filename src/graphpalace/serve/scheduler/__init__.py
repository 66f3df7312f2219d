"""Work at fixed times: decay and backups, in the service or as a process of its own."""
