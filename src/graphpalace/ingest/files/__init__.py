"""Which files there are below a folder, and what each is."""
