"""Machine types sold in zones of Google Cloud: `python -m tools.gcp_zones machine_types.json`.

The file is what `gcloud compute machine-types list --format json` prints, which has a machine type once for each zone.
A type of our table that the file has gets the file's zones; one that the file lacks, as some TPUs, keeps its own.
https://cloud.google.com/compute/docs/reference/rest/v1/machineTypes/list
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from penstock.catalog import machines
from penstock.gcp.facts.machines import GcpMachine
from tools import refresh
from tools.refresh import Row
from tools.zones import with_zones

SOURCE = "Compute Engine API, machineTypes.list by zone"


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of gcp/machine_zones with the answers of the API, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not a list of machine types.
    """
    answered = json.loads(text)
    if not isinstance(answered, list) or not all({"name", "zone"} <= set(each) for each in answered):
        raise ValueError("this is not a list of machine types with their zones")
    known = {machine.machine_type for machine in machines.machine_types(GcpMachine)}
    current = [each for each in answered if "deprecated" not in each and each["name"] in known]
    sold = {(each["name"], each["zone"].rpartition("/")[2]) for each in current}
    return with_zones(shipped, sold, lambda _: True, SOURCE, as_of)


if __name__ == "__main__":
    refresh.main("gcp/machine_zones", refreshed)
