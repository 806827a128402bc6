"""The images of Slurm's own programs, all of one release."""

from __future__ import annotations

import pulumi

from penstock.kubernetes.components.mirrored import from_mirror
from penstock.kubernetes.facts import workload_images


def slurm_image(program: str, mirror: pulumi.Input[str] | None) -> dict[str, pulumi.Input[str]]:
    """The image of a program, such as slurmd, as the chart takes it."""
    known = workload_images.find_image("slurm")
    return {"repository": from_mirror(f"{known.image}/{program}", mirror), "tag": known.version}
