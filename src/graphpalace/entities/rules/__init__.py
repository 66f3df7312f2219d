"""Names by rules: no model, any language that writes names with capitals."""
