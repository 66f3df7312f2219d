"""GraphPalace and other memories: how fast MemPalace is on a large palace, and what all of them find, side by side."""
