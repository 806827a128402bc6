"""Prices of nodes are read from the pages of each service, by region."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from tools import aws_nodes

PLACE = "EU (Frankfurt)"
RESERVED = "reservedinstance-single-az-1y.json"
PAGES: Mapping[str, Mapping[str, Any]] = {
    "elasticache/elasticache.json": {
        "sets": {"OnDemand Cache Instance Standard Valkey Current Generation": ["one"]},
        "regions": {
            PLACE: {
                "one": {"price": "0.1", "Instance Type": "cache.m7g.large"},
                "OnDemand Cache Instance Standard cache m7g.large Redis Current Generation": {
                    "price": "0.125",
                    "Instance Type": "cache.m7g.large",
                },
                "other": {"price": "9", "Instance Type": "cache.m7g.large"},
            },
            "Atlantis": {"one": {"price": "0.1", "Instance Type": "cache.m7g.large"}},
        },
    },
    "msk/msk.json": {
        "sets": {},
        "regions": {
            PLACE: {
                "a": {"price": "0.2445", "usageType": "EUC1-Kafka.m7g.large", "operation": "RunBroker"},
                "b": {"price": "0.489", "usageType": "EUC1-Express.m7g.large", "operation": "ExpressBroker"},
                "c": {"price": "0.1", "usageType": "EUC1-Kafka.Storage.GP2"},
            }
        },
    },
    "es/es-reservedinstance-1%20year-No%20Upfront-eu-central-1-General%20purpose.json": {
        "regions": {
            PLACE: {"a": {"price": "0.1", "Instance Type": "m6g.large.search", "OnDemand:PricePerUnit": "0.153"}}
        },
    },
    f"rds/eu-central-1-rds-postgresql-{RESERVED}": {
        "regions": {
            PLACE: {
                "a": {
                    "price": "0.2",
                    "Database Engine": "PostgreSQL",
                    "Instance Type": "db.r7g.large",
                    "OnDemand:PricePerUnit": "0.291",
                }
            }
        },
    },
    "redshift/redshift.json": {
        "sets": {"OnDemand Compute Instance Current Generation": ["a"]},
        "regions": {
            PLACE: {
                "a": {"price": "3.894", "Instance Type": "ra3.4xlarge"},
                "b": {"price": "0.001", "Instance Type": "ra3.4xlarge"},
            }
        },
    },
}


def checkout(folder: Path) -> Path:
    for name, page in PAGES.items():
        file = folder / "data" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(page))
    (folder / "data/rds" / f"us-east-1-atl-1-rds-mysql-{RESERVED}").write_text("<Error/>")
    return folder


def test_each_service_has_its_nodes_in_each_known_region(tmp_path: Path) -> None:
    assert aws_nodes.region_texts(checkout(tmp_path)) == {
        "eu-central-1": "service,item,usd_h\n"
        "elasticache,redis cache.m7g.large,0.125\n"
        "elasticache,valkey cache.m7g.large,0.1\n"
        "msk,express.m7g.large,0.489\n"
        "msk,kafka.m7g.large,0.2445\n"
        "opensearch,m6g.large.search,0.153\n"
        "rds,postgres db.r7g.large,0.291\n"
        "redshift,ra3.4xlarge,3.894\n"
    }


def test_a_folder_without_the_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="the checkout lacks"):
        aws_nodes.region_texts(tmp_path)
