"""Machine types sold in regions: `python -m tools.aws_offerings offerings.json`.

The file is what `aws ec2 describe-instance-type-offerings --location-type region --region REGION` prints, or several of
these with their `InstanceTypeOfferings` in one list. A region of the file gets the types of our table that it sells.
https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypeOfferings.html
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date

from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from tools import refresh
from tools.refresh import Row, merged

SOURCE = "EC2 DescribeInstanceTypeOfferings"


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of aws/offerings with the answers of the API, at a date; that of today where none is given.

    Raises:
        ValueError: the text is not an answer of DescribeInstanceTypeOfferings for regions.
    """
    offered = json.loads(text).get("InstanceTypeOfferings")
    if not offered or any(each["LocationType"] != "region" for each in offered):
        raise ValueError("this is not an answer of DescribeInstanceTypeOfferings with --location-type region")
    as_of = as_of or date.today().isoformat()  # noqa: DTZ011 - the day is enough
    sold = {(each["Location"], each["InstanceType"]) for each in offered}
    known = [machine.machine_type for machine in machines.machine_types(AwsMachine)]
    fresh = (
        {
            "region": region,
            "machine_types": " ".join(machine_type for machine_type in known if (region, machine_type) in sold),
            "unverified": "",
            "source": SOURCE,
            "as_of": as_of,
        }
        for region in sorted({region for region, _ in sold})
    )
    return merged(shipped, fresh, ("region",), lambda _: False)


if __name__ == "__main__":
    refresh.main("aws/offerings", refreshed)
