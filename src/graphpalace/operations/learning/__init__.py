"""Takes feedback, and shows what was learned."""
