"""Files in, documents, drawers and rooms out."""
