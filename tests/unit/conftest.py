"""Property tests try a hundred examples each, or with `--hypothesis-profile quick` ten, as `make test-fast` does;
`make fuzz` tries 20,000 with `long`."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("quick", max_examples=10)
settings.register_profile("long", max_examples=20_000)
