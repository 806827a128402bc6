"""FSx for Lustre."""

from __future__ import annotations

from penstock.catalog import lustre
from penstock.errors import UnknownFact
from penstock.rehearsal.rules.aws.types import LUSTRE
from penstock.rehearsal.rules.rule import rule
from penstock.rehearsal.rules.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.rehearsal.rules.view import View


@rule("AWS-FSX-001", on=LUSTRE, source="FSx for Lustre user guide, storage capacity; FSx API model in botocore 1.44")
def capacity_is_a_step_of_its_tier(filesystem: View) -> Verdict:
    """The capacity of a persistent file system is one that AWS sells at its throughput, in larger steps with EFA."""
    throughput, capacity = filesystem.integer("perUnitStorageThroughput"), filesystem.integer("storageCapacity")
    if throughput is None or capacity is None:
        return NOT_APPLICABLE
    try:
        steps = lustre.steps(throughput, efa=filesystem.flag("efaEnabled") is True)
    except UnknownFact:
        return NOT_APPLICABLE  # a tier that is not sold is another rule's
    return allow(
        steps.allow(capacity),
        f"{capacity} GiB is not sold at {throughput} MB/s for each TiB",
        hint=f"Use {steps.nearest(capacity)} GiB.",
        path="storageCapacity",
    )
