"""Learning from feedback: pure functions that turn lessons into better rankings."""
