"""Benchmarks: baseline and candidate take turns within one run."""
