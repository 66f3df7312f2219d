"""The header Idempotency-Key."""
