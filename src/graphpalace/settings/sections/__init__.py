"""The sections of the settings: one frozen model a section, in a file of its own.

A field has its default, its range and a sentence that says what it does. `graphpalace.toml`, the reference page and the
help of the commands are made from them, and any room may take a section as the value that it is.
"""
