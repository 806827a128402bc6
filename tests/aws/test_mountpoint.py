"""What a bucket promises to pods that mount it: the rights of the pod, and the speed of the machine."""

from __future__ import annotations

import pytest

from penstock.aws import BucketHandle, VolumeHandle, bucket_volume
from penstock.aws.facts.machines import AwsMachine
from penstock.catalog import machines
from penstock.description.storage import BucketSpec

BUCKET = BucketHandle(name="datasets-4f2a", arn="arn:aws:s3:::datasets-4f2a")
PLAIN = BucketSpec(name="datasets")


def machine(name: str) -> AwsMachine:
    found = machines.find_machine(name, AwsMachine)
    assert isinstance(found, AwsMachine)
    return found


def mounted(*types: str, spec: BucketSpec = PLAIN) -> VolumeHandle:
    return bucket_volume(BUCKET, spec, region="us-west-2", machines=[machine(each) for each in types])


def test_pods_reach_a_bucket_with_rights_of_their_own() -> None:
    volume = mounted()

    assert volume.driver == "s3.csi.aws.com"
    assert volume.handle == BUCKET.name
    assert volume.attributes == {"bucketName": BUCKET.name, "authenticationSource": "pod"}


@pytest.mark.parametrize(
    ("types", "gbps"),
    [
        (["p5.48xlarge"], 100),
        (["p5en.48xlarge", "m7i.2xlarge"], 200),
        (["p6-b200.48xlarge"], 400),
        (["g5.12xlarge"], 40),
        (["m7i.2xlarge", "g6.xlarge"], None),
        ([], None),
    ],
)
def test_mountpoint_aims_at_what_the_fastest_card_carries(types: list[str], gbps: int | None) -> None:
    given = [option for option in mounted(*types).mount_options if option.startswith("maximum-throughput-gbps")]

    assert given == ([f"maximum-throughput-gbps {gbps}"] if gbps else [])


def test_mountpoint_need_not_ask_the_machine_for_its_region() -> None:
    assert "region us-west-2" in mounted().mount_options


def test_only_where_somebody_may_write_are_objects_replaced_and_deleted() -> None:
    readers = BucketSpec(name="datasets", readers=("research/trainer",))
    writers = BucketSpec(name="checkpoints", writers=("research/trainer",))

    assert not {"allow-delete", "allow-overwrite"} & set(mounted(spec=readers).mount_options)
    assert {"allow-delete", "allow-overwrite"} <= set(mounted(spec=writers).mount_options)
