"""The toy cloud's own, found by its name."""
