"""The simulated Kubernetes: its answers to a program that runs."""
