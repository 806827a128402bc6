"""Resilience: what holds data survives a slip, and what serves survives a zone."""
