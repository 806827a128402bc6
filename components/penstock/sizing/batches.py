"""Tokens between two updates of the weights, where nobody says how many."""

from __future__ import annotations

_STEPS = ((1e9, 0.5e6), (3e9, 1e6), (100e9, 4e6))
_COMMON_BATCH, _LARGEST_BATCH = 4e6, 16e6
_ACCELERATORS_OF_A_SEQUENCE = 4


def batch_of(parameters: float, sequence: int = 0, accelerators: int = 0) -> float:
    """Tokens between two updates that runs of this size take: GPT-3 and Llama papers, rounded.

    On many accelerators it is a sequence for each of them, up to what most runs take, and above that a sequence for
    every four of them, up to what the largest runs take.
    """
    usual = next((tokens for most, tokens in _STEPS if parameters < most), _LARGEST_BATCH)
    many = min(_LARGEST_BATCH, sequence * accelerators / _ACCELERATORS_OF_A_SEQUENCE)
    return max(usual, many, min(_COMMON_BATCH, float(sequence * accelerators)))
