"""Answers a question: asks the lanes, fuses, applies what was learned, reads the hits."""
