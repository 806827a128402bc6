"""The simulated Azure: its answers to a program that runs."""
