"""Queues for the accelerators, and the teams that share them."""
