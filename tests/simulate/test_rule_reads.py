"""What is recorded of a rule becomes paths as the SDKs declare them."""

from __future__ import annotations

from importlib import import_module

from tests.programs import IT, graph_of, urn_of

from penstock.graph.reads import RecordedReads
from penstock.graph.view import Site, View
from penstock.simulate.rule_reads import paths_of, start_recording, undeclared_reads

import_module("pulumi_aws")

INSTANCE = "aws:ec2/instance:Instance"
PROGRAM = {IT: (INSTANCE, {"tags": {"owner": "ml"}, "ebsBlockDevices": [{"volumeSize": 8}, {}]})}


def test_paths_lead_through_lists_and_end_before_the_keys_of_a_map() -> None:
    reads = RecordedReads(graph_of(PROGRAM))
    site = Site(reads.graph)
    start_recording(site, reads)

    it = View(site.graph[urn_of(IT, PROGRAM)], site)
    tags = it.block("tags")
    assert tags is not None
    assert tags.text("owner") == "ml"
    assert [disk.integer("volumeSize") for disk in it.blocks("ebsBlockDevices")] == [8, None]
    assert it.text("machine") is None

    assert paths_of(INSTANCE, {steps for _, steps in reads}) == ("ebsBlockDevices[].volumeSize", "tags")


def test_a_rule_that_reads_everything_has_one_path() -> None:
    assert paths_of(INSTANCE, {(), ("tags",)}) == ("*",)


def test_an_undeclared_property_is_one_whose_right_name_is_not_read() -> None:
    reads = {("instance_type",), ("tags", "ownr"), ("colour",), ("rootBlockDevice.volumeSize",)}
    assert list(undeclared_reads(INSTANCE, reads)) == [("colour", ""), ("instance_type", "instanceType")]
    assert list(undeclared_reads(INSTANCE, {("instance_type",), ("instanceType",)})) == []
