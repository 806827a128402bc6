"""Metrics, alerts and dashboards of a platform."""
