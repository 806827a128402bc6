"""The GPU Operator: what NVIDIA GPUs need on nodes."""
