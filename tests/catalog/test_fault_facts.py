"""What each kind of fault looks like, cloud by cloud."""

from __future__ import annotations

from penstock.catalog import faults
from penstock.catalog.tables import rows


def test_the_kinds_are_those_that_a_rehearsal_can_play() -> None:
    assert set(faults.fault_kinds()) == {"throttling", "no_capacity", "quota", "denied", "timeout", "crash"}


def test_every_cloud_tells_of_its_own() -> None:
    codes = {
        type_: facts.code
        for type_ in (
            "aws:ec2/vpc:Vpc",
            "aws:eks/cluster:Cluster",
            "kubernetes:core/v1:Pod",
            "gcp:compute/network:Network",
        )
        if (facts := faults.find_fault("denied", type_)) is not None
    }

    assert codes["aws:ec2/vpc:Vpc"] == "UnauthorizedOperation"
    assert codes["aws:eks/cluster:Cluster"] == "AccessDeniedException"
    assert len(set(codes.values())) == 4


def test_only_machines_lack_capacity() -> None:
    assert faults.find_fault("no_capacity", "aws:ec2/instance:Instance") is not None
    assert faults.find_fault("no_capacity", "aws:s3/bucket:Bucket") is None


def test_no_row_is_hidden_behind_one_before_it() -> None:
    for row in rows("faults"):
        type_ = row["type"].replace("*", "x")
        found = faults.find_fault(row["kind"], type_)

        assert found is not None
        assert found.type == row["type"], row


def test_every_message_can_be_filled_in() -> None:
    for row in rows("faults"):
        assert "{" not in row["message"].format(machine="m ", zone=" (z)", timeout="20m")
