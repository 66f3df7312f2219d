"""Names in texts: which there are, and which of them mean one thing. Texts in, names out."""
