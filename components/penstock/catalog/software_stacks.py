"""Software stacks that programs for accelerators are written for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from penstock.catalog.records import record_of

USUAL = "cuda"
"""The stack that most programs for accelerators are written for; all others take a port."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SoftwareStack:
    """A software stack.

    Attributes:
        title: as people say it.
        port: what a program written for CUDA needs there, in a sentence.
        four_bits: the work for which weights can be kept in 4 bits: train (QLoRA) and serve.
    """

    software: str
    title: str
    port: str
    four_bits: tuple[Literal["train", "serve"], ...]
    unverified: tuple[str, ...]
    source: str
    as_of: str


def find_stack(name: str) -> SoftwareStack:
    """The stack of that name.

    Raises:
        UnknownFact: there is none; the text names the nearest ones.
    """
    return record_of(SoftwareStack, "software_stacks", name, "software stack")
