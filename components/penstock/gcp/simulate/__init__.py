"""The simulated Google Cloud: its answers to a program that runs."""
