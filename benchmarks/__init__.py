"""Benchmarks: baseline and candidate take turns within one run."""

import os

os.environ.setdefault("GOMP_SPINCOUNT", "20000")  # as the commands run; before torch is imported, which reads it then
