"""Resilience: data survive a mistake, and services survive the loss of a zone."""
