"""Why a machine type does not do the work, and what would help."""

from __future__ import annotations

from dataclasses import dataclass

MORE_TIME = "Raise the deadline, or allow more clouds or accelerators."
MORE_MEMORY = "Allow accelerators with more memory, or more clouds."
WITH_FP8 = "Take --precision bf16, or an accelerator that has FP8, such as h100."


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a machine type does not do the work.

    Attributes:
        why: the reason, which machine types have in common.
        fix: what would help, in a sentence.
        token_seconds: the least time between two tokens, where a latency is the reason.
    """

    why: str
    fix: str
    token_seconds: float | None = None
