"""Benchmarks: baseline and candidate take turns within one run."""

import os

from graphpalace.serve.cli.main import SPINS

os.environ.setdefault("GOMP_SPINCOUNT", SPINS)  # as the commands run; before torch is imported, which reads it then
