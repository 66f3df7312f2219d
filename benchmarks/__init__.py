"""Benchmarks: baseline and candidate take turns within one run."""

import os

from graphpalace.serve.cli.main import OPENBLAS_SPINS, SPINS

# As the commands run; before torch and NumPy are imported, which read them then.
os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", OPENBLAS_SPINS)
