"""The MCP server: coding assistants rehearse, compare, price and size with it. It reads only, and creates nothing."""
