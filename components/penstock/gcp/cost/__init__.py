"""Prices and cost of Google Cloud resources."""
