"""Residency: data stays in the part of the world that it was promised to."""
