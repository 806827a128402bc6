"""NCCL profiles: the variables of each fabric."""
