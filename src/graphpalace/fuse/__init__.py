"""Rankings in, one order out: evidence, reciprocal ranks, news, importance and variety."""
