"""The doors: they parse a request, call one operation, and show its answer."""
