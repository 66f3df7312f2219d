"""Values that the layers exchange, without input or output."""
