"""AMD's device plugin: GPUs for pods."""
