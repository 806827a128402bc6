"""Our tables agree with the discovery documents of Google's APIs; newer documents sound the alarm."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

import pytest
from googleapiclient.discovery_cache import get_static_doc

from penstock.catalog import limits, machines
from penstock.gcp.facts import filestore
from penstock.gcp.facts.machines import GcpMachine


@cache
def schemas(api: str, version: str) -> dict[str, Any]:
    document = get_static_doc(api, version)
    assert document is not None, f"{api} {version} is not among the documents"
    found: dict[str, Any] = json.loads(document)["schemas"]
    return found


def test_filestore_has_our_tiers_and_no_other_but_old_names_of_them() -> None:
    tiers = set(schemas("file", "v1")["Instance"]["properties"]["tier"]["enum"])

    assert tiers - set(filestore.tier_names()) == {"TIER_UNSPECIFIED", "STANDARD", "PREMIUM"}
    assert set(filestore.tier_names()) <= tiers


@pytest.mark.parametrize("tier", filestore.tier_names())
def test_filestore_has_our_protocols(tier: str) -> None:
    protocols = schemas("file", "v1")["Instance"]["properties"]["protocol"]["enum"]

    assert set(filestore.find_tier(tier).protocols) <= set(protocols)


def test_a_network_s_mtu_is_bounded_as_compute_engine_says() -> None:
    text = schemas("compute", "v1")["Network"]["properties"]["mtu"]["description"]
    bounds = re.search(r"minimum value for this field is (\d+) and the maximum value\s+is (\d+)", text)

    assert bounds is not None
    assert limits.find_limit("network_mtu_least", "gcp").most == int(bounds[1])
    assert limits.find_limit("network_mtu", "gcp").most == int(bounds[2])


def test_quotas_with_a_name_of_their_own_are_metrics_of_compute_engine() -> None:
    metrics = set(schemas("compute", "v1")["Quota"]["properties"]["metric"]["enum"])
    named = {machine for machine in machines.machine_types(GcpMachine) if ":" not in machine.quota}

    assert {machine.quota for machine in named if "quota" not in machine.unverified} <= metrics
    assert not {machine.quota for machine in named if "quota" in machine.unverified} & metrics
