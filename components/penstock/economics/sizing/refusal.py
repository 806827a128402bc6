"""Why a machine type does not do the work, and what would help."""

from __future__ import annotations

from dataclasses import dataclass

MORE_TIME = "Raise the deadline, or allow more clouds or accelerators."
MORE_MEMORY = "Allow accelerators with more memory, or more clouds."
_WITH = {"fp8": "h100", "int8": "l40s", "fp4": "b200"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a machine type does not do the work.

    Attributes:
        why: the reason, which machine types have in common.
        fix: what would help, in a sentence.
        token_seconds: the least time between two tokens, where that latency is the reason.
        first_token_seconds: the least time to a first token, where that latency is the reason.
    """

    why: str
    fix: str
    token_seconds: float | None = None
    first_token_seconds: float | None = None


def without_precision(precision: str) -> Refusal:
    """The refusal of a chip that does not multiply in a precision."""
    fix = f"Take --precision bf16, or an accelerator that has {precision.upper()}, such as {_WITH[precision]}."
    return Refusal(why=f"has no {precision.upper()}", fix=fix)
