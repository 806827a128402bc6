"""Machine types of EC2: `python -m tools.aws_machines types.json`, with what `aws ec2 describe-instance-types` prints.

Types of the table get the figures that the API returns. What the API does not return stays: the layout of EFA, the AMI
type, the quota, how it is sold. A type that the table does not have needs these first, so a person adds its row.
https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_DescribeInstanceTypes.html
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any

from tools import refresh
from tools.refresh import Row, merged

SOURCE = "EC2 DescribeInstanceTypes"


def refreshed(shipped: Sequence[Row], text: str, as_of: str = "") -> list[Row]:
    """The rows of aws/machines with the figures of the API.

    Args:
        shipped: The rows that are there.
        text: The answer of the API.
        as_of: The date of changed rows; that of today where none is given.

    Raises:
        ValueError: the text is not an answer of DescribeInstanceTypes.
    """
    types = json.loads(text).get("InstanceTypes")
    if not types:
        raise ValueError("this is not an answer of DescribeInstanceTypes: it has no InstanceTypes")
    as_of = as_of or date.today().isoformat()  # noqa: DTZ011 - the day is enough
    published = {each["InstanceType"]: dict(_figures(each)) for each in types}
    fresh = (_changed(row, published[name], as_of) for row in shipped if (name := row["machine_type"]) in published)
    return merged(shipped, fresh, ("machine_type",), lambda _: False)


def _changed(row: Row, published: Mapping[str, str], as_of: str) -> Row:
    if all(row[column] == value for column, value in published.items()):
        return row
    unverified = " ".join(column for column in row["unverified"].split() if column not in published)
    return {**row, **published, "unverified": unverified, "source": SOURCE, "as_of": as_of}


def _figures(published: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The columns that the API returns, as the table writes them."""
    network, devices = published["NetworkInfo"], _devices(published)
    cards = network.get("NetworkCards", [])
    yield "vcpu", str(published["VCpuInfo"]["DefaultVCpus"])
    yield "ram_gib", f"{published['MemoryInfo']['SizeInMiB'] / 1024:g}"
    yield "nvme_gb", str(published.get("InstanceStorageInfo", {}).get("TotalSizeInGB", 0))
    yield "efa_max", str(network.get("EfaInfo", {}).get("MaximumEfaInterfaces", 0))
    yield "network_cards", str(network["MaximumNetworkCards"])
    yield "interfaces_per_card", str(max(card["MaximumNetworkInterfaces"] for card in cards))
    yield "addresses_per_interface", str(network["Ipv4AddressesPerInterface"])
    yield "architecture", next(each for each in published["ProcessorInfo"]["SupportedArchitectures"] if each != "i386")
    if devices:
        yield "accelerators", str(sum(device["Count"] for device in devices))
        if "MemoryInfo" in devices[0]:
            yield "memory_mib_each", str(devices[0]["MemoryInfo"]["SizeInMiB"])


def _devices(published: Mapping[str, Any]) -> list[dict[str, Any]]:
    lists = (("GpuInfo", "Gpus"), ("NeuronInfo", "NeuronDevices"), ("FpgaInfo", "Fpgas"))
    return [device for info, devices in lists for device in published.get(info, {}).get(devices, [])]


if __name__ == "__main__":
    refresh.main("aws/machines", refreshed)
