"""NVIDIA's device plugin: GPUs for pods."""
