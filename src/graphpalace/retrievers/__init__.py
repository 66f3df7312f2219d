"""Retrievers of other people's frameworks over a palace. Each module needs its framework: `graphpalace[langchain]`."""
