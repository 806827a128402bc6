"""Reports name price lists, not files of repositories; JSON keeps the whole source."""

from __future__ import annotations

import pytest
from tests.graphs import resource

from penstock.catalog.prices import Price
from penstock.cost.bill import Line, line
from penstock.report.price_sources import price_source

INSTANCE = "aws:ec2/instance:Instance"
VM = "azure-native:compute:VirtualMachine"
GCE = "gcp:compute/instance:Instance"


def named(source: str, type_: str = INSTANCE) -> str:
    price = Price(usd=1.0, unit="hour", source=source, as_of="2026-11", unverified=())
    found = line(resource(type_, "web"), "web", 1, price)
    assert isinstance(found, Line)
    assert found.source == source
    return price_source(found)


@pytest.mark.parametrize(
    ("type_", "source", "name"),
    [
        (INSTANCE, "infracost ebs_volume_test.golden", "AWS price list, as recorded by Infracost"),
        (VM, "infracost managed_disk_test.golden: by the GiB", "Azure price list, as recorded by Infracost"),
        (GCE, "karpenter-provider-gcp 373e2ba, x.json", "Google Cloud price list, as published with Karpenter"),
        (INSTANCE, "AWS price list as copied in tsaol/aws-gpu 77fcd9f; equal to newer lists", "AWS price list"),
        (VM, "Azure retail prices API, Virtual Machines (Azure/x zz_generated.pricing.go)", "Azure retail prices"),
        (INSTANCE, "AWS price list, AmazonEC2, 2026-11-14", "AWS price list"),
        (INSTANCE, "general knowledge, not checked", "estimate of Penstock"),
        (INSTANCE, "our contract", "our contract"),
        (INSTANCE, "AWS price list; 1y: Amazon EC2 pricing", "AWS price list; 1y commitment by the AWS price list"),
        (INSTANCE, "our contract; declared discount", "our contract; declared discount"),
        (GCE, "Cloud NAT pricing page", "Cloud NAT pricing page"),
    ],
)
def test_a_source_reads_as_a_price_list(type_: str, source: str, name: str) -> None:
    assert named(source, type_) == name
