"""Look-ups of what an earlier run made: of what they ask the cloud, the state knows better than a made-up answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from penstock.aws.types import AUTOSCALING_TAG, EKS_NODE_GROUP
from penstock.graph.graph import Graph
from penstock.graph.property_path import PropertyPath

GROUPS_OF_NODES: Final = PropertyPath.parse("resources[*].autoscalingGroups[*].name")
"""Where a node group of EKS reports the names of its Auto Scaling groups."""

SIZE_LOOKUP: Final = "aws:autoscaling/getGroup:getGroup"
"""The function by which a program learns how many machines an Auto Scaling group has."""

_TAG_FILTER: Final = "tag:"


def answer(token: str, arguments: Mapping[str, Any], before: Graph) -> Mapping[str, Any]:
    """Return what is known of a function's answer from what exists before a run; mostly nothing."""
    known = _KNOWN.get(token)
    return known(arguments, before) if known is not None else {}


def _tagged_groups(arguments: Mapping[str, Any], before: Graph) -> Mapping[str, Any]:
    """The Auto Scaling groups with all tags that a look-up filters by."""
    wanted = {
        each["name"].removeprefix(_TAG_FILTER): each["values"]
        for each in arguments.get("filters") or ()
        if each["name"].startswith(_TAG_FILTER)
    }
    tags: dict[str, dict[str, str]] = {}
    for resource in before.of_type(AUTOSCALING_TAG):
        group, tag = resource.inputs.get("autoscalingGroupName"), resource.inputs.get("tag")
        if isinstance(group, str) and isinstance(tag, Mapping):
            tags.setdefault(group, {})[str(tag.get("key"))] = str(tag.get("value"))
    names = [name for name, its in tags.items() if all(its.get(key) in values for key, values in wanted.items())]
    return {"names": names} if wanted and names else {}


def _group(arguments: Mapping[str, Any], before: Graph) -> Mapping[str, Any]:
    """The size of the Auto Scaling group of a node group, which EKS made and reports."""
    for resource in before.of_type(EKS_NODE_GROUP):
        names = [place.value for place in GROUPS_OF_NODES.locations(resource.outputs)]
        if arguments.get("name") in names:
            # Of one that was only rehearsed, nothing is reported: it has what was asked for.
            asked, reported = (each.get("scalingConfig") or {} for each in (resource.inputs, resource.outputs))
            return {
                key: size for key, word in _SIZES.items() if (size := reported.get(word, asked.get(word))) is not None
            }
    return {}


_SIZES: Final = {"desiredCapacity": "desiredSize", "minSize": "minSize", "maxSize": "maxSize"}

_KNOWN: Final[Mapping[str, Callable[[Mapping[str, Any], Graph], Mapping[str, Any]]]] = {
    "aws:autoscaling/getAmiIds:getAmiIds": _tagged_groups,
    SIZE_LOOKUP: _group,
}
