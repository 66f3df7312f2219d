"""Property tests try a hundred examples each, or with `--hypothesis-profile quick` ten, as `make test-fast` does."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("quick", max_examples=10)
