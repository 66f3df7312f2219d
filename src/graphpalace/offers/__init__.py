"""What GraphPalace offers: each operation is declared once, and every door is made from the declaration."""
