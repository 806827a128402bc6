"""Encryption at rest: who takes a disk, a snapshot or a backup away reads nothing from it."""
