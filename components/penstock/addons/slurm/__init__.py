"""Slurm: its operator, and a cluster whose workers are the nodes of pools."""
