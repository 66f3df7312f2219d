"""The MCP server, and its proxy on standard input and output."""
