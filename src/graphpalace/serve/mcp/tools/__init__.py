"""The tools of MCP: one class for each topic."""
