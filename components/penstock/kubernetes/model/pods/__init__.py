"""Pods and their containers, whatever kind of workload makes them."""
