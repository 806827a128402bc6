"""Names of sizes of virtual machines, which say what a size has: Standard_ND96isr_H100_v5.

Family, vCPU, a letter for each feature, the accelerator, and the version. The catalogue knows few of the hundreds of
sizes, and each month brings more; of the others, the name is what is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_FORM = re.compile(
    r"(?:standard|basic)_(?P<family>[a-z]+)(?P<vcpu>\d+)(?:-(?P<active>\d+))?(?P<features>[a-z]*?)(?:[a-z]\d+)?"
    r"(?:_(?P<accelerator>(?!v\d+$)\w+?))?(?:_(?P<version>v\d+))?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SizeName:
    """The parts of the name of a size.

    Attributes:
        family: one or more letters, upper case: D for general purpose, ND for training.
        vcpu: the number in the name. Sizes of the first two versions count otherwise: `penstock.azure.facts.sizes`.
        features: lower case: a for AMD, d for a local disk, i for a host of its own, l and m for less and more memory,
            p for ARM, r for RDMA, s for premium storage. Sizes of accelerators have local disks without saying so.
        accelerator: the part that names it, such as A100 or NDR_GB200; empty without one.
        version: such as v5; empty for the first.
    """

    family: str
    vcpu: int
    features: str
    accelerator: str
    version: str

    @property
    def rdma(self) -> bool:
        """Whether the name promises InfiniBand: ND96isr_MI300X_v5 has it, ND96is_MI300X_v5 has none."""
        return "r" in self.features

    @property
    def arm64(self) -> bool:
        """Whether its processors are of the architecture arm64: those of letter p, and Grace beside GB200 and GB300."""
        return "p" in self.features or re.search(r"(^|_)GB\d", self.accelerator) is not None


def read_size(name: str) -> SizeName | None:
    """The parts of a name in any case; None for a text that is not the name of a size."""
    found = _FORM.fullmatch(name)
    if found is None:
        return None
    return SizeName(
        family=found["family"].upper(),
        vcpu=int(found["vcpu"]),
        features=found["features"].lower(),
        accelerator=(found["accelerator"] or "").upper(),
        version=(found["version"] or "").lower(),
    )
