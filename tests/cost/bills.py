"""Parts of a bill, for tests that are about one of them."""

from __future__ import annotations

from penstock.cost import Cost

_BESIDE = ("GiB disk", "GiB volume", "control plane", "public address")
_OF_PEOPLE = (
    "penstock:usage.volumes_gb",
    "osDiskType",
    "whether its subnets give them",
    "whether its cluster is private",
)


def of_machines(bill: Cost) -> Cost:
    """A bill without the control plane, the disks and addresses of nodes, and what pods claim."""
    return Cost(
        tuple(line for line in bill.lines if not any(part in line.what for part in _BESIDE)),
        tuple(each for each in bill.unpriced if each.depends_on not in _OF_PEOPLE),
    )
