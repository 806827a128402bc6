"""Kubernetes, simulated: how it answers as a program runs."""
