"""Orders given documents by what is known of them."""
