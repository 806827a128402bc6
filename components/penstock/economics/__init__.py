"""The cost of a platform: pure functions of a Graph and of the catalogue's prices."""
