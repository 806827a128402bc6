"""Blocks of add-ons, a file each."""
