"""The sections of the settings: a frozen model for each section, in a file of its own.

Each field has a default, a range and a description. `graphpalace.toml`, the reference page and the help of commands are
generated from them. Any package may receive a section as a value.
"""
