"""Machine types sold in zones of AWS: `python -m tools.aws_zones offerings.json`.

The file is what `aws ec2 describe-instance-type-offerings --location-type availability-zone-id --region REGION` prints,
or several of these with their `InstanceTypeOfferings` in one list. Only ids of zones are taken: their names mean
another building in each account. A region of the file gets the zones that it lists; zones of other regions stay.
https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from tools import refresh
from tools.refresh import Row
from tools.zones import with_zones

SOURCE = "EC2 DescribeInstanceTypeOfferings by zone id"


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of aws/machine_zones with the answers of the API, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not an answer of DescribeInstanceTypeOfferings for ids of zones.
    """
    offered = json.loads(text).get("InstanceTypeOfferings")
    if not offered or any(each["LocationType"] != "availability-zone-id" for each in offered):
        raise ValueError("this is not an answer of DescribeInstanceTypeOfferings by availability-zone-id")
    known = {machine.machine_type for machine in machines.machine_types(AwsMachine)}
    sold = {(each["InstanceType"], each["Location"]) for each in offered}
    listed = {_region(zone) for _, zone in sold}
    of_ours = {(machine_type, zone) for machine_type, zone in sold if machine_type in known}
    return with_zones(shipped, of_ours, lambda zone: _region(zone) in listed, SOURCE, as_of)


def _region(zone_id: str) -> str:
    """The region in an id: use1 of use1-az1 and of use1-dfw2-az1."""
    return zone_id.partition("-")[0]


if __name__ == "__main__":
    refresh.main("aws/machine_zones", refreshed)
