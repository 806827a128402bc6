"""Prices and cost of AWS resources."""
