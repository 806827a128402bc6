"""Prices and cost of Azure resources."""
