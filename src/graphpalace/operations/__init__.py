"""What GraphPalace does: one file for each operation."""
