"""The JSON Schema lets an editor complete and check a stack file."""

from __future__ import annotations

import json
import re
import subprocess
import sys

from penstock import description
from penstock.description import Spec, addon


def test_every_reference_of_the_schema_leads_somewhere() -> None:
    schema = description.json_schema()

    names = set(re.findall(r'"#/\$defs/(\w+)"', json.dumps(schema)))

    assert names <= schema["$defs"].keys()


def test_the_schema_knows_every_block_and_leaves_other_configuration_alone() -> None:
    schema = description.json_schema()
    config = schema["properties"]["config"]

    own = config["properties"]
    assert own["penstock:platform"] == {"$ref": "#/$defs/Spec"}
    assert own["penstock:policies"] == {"$ref": "#/$defs/Settings"}
    assert own["penstock:quotas"]["additionalProperties"]["type"] == "number"
    assert "additionalProperties" not in config
    for name, is_taken in {"aws:region": True, "penstock:quotas": True, "penstock:polices": False}.items():
        assert bool(re.search(config["propertyNames"]["pattern"], name)) is is_taken
    assert schema["$defs"]["Spec"]["properties"].keys() == Spec.model_fields.keys()


def test_the_schema_offers_nothing_that_is_refused() -> None:
    blocks = description.json_schema()["$defs"]

    assert blocks["AddonsSpec"]["properties"].keys() == set(addon.keys())
    assert blocks["CloudSpec"]["properties"]["provider"]["enum"] == ["aws", "gcp", "azure", "kubernetes"]


def test_the_schema_takes_nodes_as_a_number_or_as_bounds() -> None:
    number, bounds = description.json_schema()["$defs"]["Nodes"]["anyOf"]

    assert number["type"] == "integer"
    assert bounds["required"] == ["min", "max"]


def test_one_block_can_be_imported_without_the_rules() -> None:
    unwanted = ("yaml", "penstock.description.rules")
    program = f"import sys, penstock.description.node_pool; print(*(each in sys.modules for each in {unwanted}))"

    reported = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout

    assert reported.split() == ["False", "False"]
