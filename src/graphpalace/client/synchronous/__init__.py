# Written by `make client` from ../asynchronous/__init__.py; change that file.
"""The palace without asyncio."""
