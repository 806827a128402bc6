"""Cost: what teams use, in money."""
