"""Detection of sick nodes, and the tests that a node passes before it takes work."""
