"""What feedback changes: divisions of the questions, curves and pictures."""
