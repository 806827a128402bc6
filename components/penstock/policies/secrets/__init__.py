"""Secrets: never in clear, and exchanged before they are old."""
