"""Logging: the record of what happened."""
