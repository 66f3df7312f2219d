"""The web page and the pages of documentation."""
