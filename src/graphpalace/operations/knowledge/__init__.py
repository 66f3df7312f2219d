"""Facts and names: states, reads, merges and splits them."""
