"""The simulated AWS: its answers to a program that runs."""
