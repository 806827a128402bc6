"""Runs a program in a process of its own interpreter, with its own packages, apart from Penstock's."""
