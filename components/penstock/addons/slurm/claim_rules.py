"""Rules on the claims that Slurm's pods mount."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_PATH = ("addons", "slurm", "claims")

_OF_THE_SYSTEM: Final = frozenset(
    {"bin", "boot", "dev", "etc", "lib", "lib32", "lib64", "libx32", "proc", "run", "sbin", "sys", "usr", "var"}
)
"""Directories at the root that Slurm's images and the operator fill, such as /etc/slurm and /var/log/slurm."""


@rule("SPEC-197", reads=("addons",))
def slurm_mounts_one_claim_at_a_path(spec: Spec) -> Iterator[Problem]:
    """Each claim of Slurm has a path of its own: Kubernetes refuses pods that mount two at one."""
    first: dict[PurePosixPath, str] = {}
    for claim, path in _claims(spec).items():
        place = PurePosixPath(path)
        if place in first:
            message = f"Claim {first[place]} is mounted at {place} already."
            yield Problem((*_PATH, claim), message, f"Mount it at another path, such as /{claim}.")
        first.setdefault(place, claim)


@rule("SPEC-197", reads=("addons",))
def slurm_mounts_claims_beside_the_system(spec: Spec) -> Iterator[Problem]:
    """No claim of Slurm hides a directory of the system: its pods would not start, or run what the claim holds."""
    for claim, path in _claims(spec).items():
        parts = PurePosixPath(path).parts
        if ".." in parts or "." in path.split("/"):
            message = f"{quoted(path)} leads through '.' or '..', and mounts have plain paths."
            yield Problem((*_PATH, claim), message, f"Write where it ends, such as /{claim}.")
        elif parts[1] in _OF_THE_SYSTEM:
            message = f"A claim at {path} hides what Slurm's images and pods have below /{parts[1]}."
            yield Problem((*_PATH, claim), message, f"Mount it elsewhere, such as at /{claim} or below /opt.")


def _claims(spec: Spec) -> dict[str, str]:
    return spec.addons.slurm.claims if spec.addons.slurm is not None else {}
