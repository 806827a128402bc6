"""Errors, findings, text, versions and time. Modules here import nothing else of Penstock."""
