"""Write a whole database into one file, and restore it."""
