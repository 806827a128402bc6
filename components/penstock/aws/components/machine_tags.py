"""The tags of a pool's machines, which no change of a tag may replace.

EKS gives no machine the tags of its node group, and replaces all machines of a group whose launch template changes in
anything, tags included (EKS user guide, "Customize managed nodes with launch templates"). So the template keeps the
tags that it was created with, its own too, since the provider announces a new version for those. The Auto Scaling group
hands later ones to the machines that it starts from then on: of a key that both have, the group's value wins (EC2 Auto
Scaling user guide, "Tag Auto Scaling groups and instances"). Disks and interfaces keep those of the template.
"""

from __future__ import annotations

from collections.abc import Mapping

import pulumi
from pulumi_aws import autoscaling, ec2, eks

_KINDS = ("instance", "volume", "network-interface")

_FIXED = ("platform", "environment")
"""Parts of every name of a platform: with another value the pool itself is another one."""


def at_creation(name: str, tags: Mapping[str, str]) -> list[ec2.LaunchTemplateTagSpecificationArgsDict]:
    """The tags of machines, disks and interfaces, for a launch template that ignores changes of them."""
    return [{"resource_type": kind, "tags": {**tags, "Name": name}} for kind in _KINDS]


def from_now_on(
    name: str,
    tags: Mapping[str, str],
    group: eks.NodeGroup,
    *,
    found_by: Mapping[str, str],
    opts: pulumi.ResourceOptions,
) -> None:
    """Tag the Auto Scaling group with what may change, for the machines to come, and with what it is found by."""
    names = group.resources.apply(lambda resources: (resources[0].autoscaling_groups or [])[0].name)
    changing = {key: value for key, value in tags.items() if key not in _FIXED}
    for key, value in {**changing, **found_by}.items():
        autoscaling.Tag(
            f"{name}-{key.replace('/', '-')}",
            autoscaling_group_name=names,
            tag={"key": key, "value": value, "propagate_at_launch": key in changing},
            opts=opts,
        )
