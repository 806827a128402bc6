"""What a platform costs: pure functions of a Graph and of the catalogue's prices."""
