"""Readings that are particular to Google Cloud."""
