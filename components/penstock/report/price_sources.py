"""The names of price sources as people outside engineering read them: price lists, not files of repositories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from penstock.core.findings import resource_of
from penstock.cost import Line
from penstock.providers import provider_of

_LIST: Final = "{cloud} price list"
_NAMES: Final[Mapping[str, str]] = {
    "AWS price list": "AWS price list",
    "tsaol/aws-gpu": "AWS price list",
    "Amazon EC2": "AWS price list",
    "Azure retail prices API": "Azure retail prices",
    "Cloud Billing Catalog": "Google Cloud price list",
    "karpenter-provider": f"{_LIST}, as published with Karpenter",
    "aws/karpenter-provider": f"{_LIST}, as published with Karpenter",
    "infracost": f"{_LIST}, as recorded by Infracost",
    "skypilot-catalog": f"{_LIST}, as recorded by SkyPilot",
    "opencost": f"{_LIST}, as recorded by OpenCost",
    "dstackai/gpuhunt": f"{_LIST}, as recorded by dstack",
    "c3x.dev": f"{_LIST}, as recorded by c3x.dev",
    "general knowledge": "estimate of Penstock",
}
"""Names by what a source begins with; `{cloud}` is the cloud of the resource that is paid for."""
_COPY: Final = re.compile(r"(, as copied .*| \([^()]*/[^()]*\))$")
"""The end of a source that says where a copy of it was read."""


def price_source(line: Line) -> str:
    """Return the name of the source of a line's price, with its discounts; its own words if it has no other name."""
    provider = provider_of(resource_of(line.urn)[1])
    cloud = provider.title if provider is not None else "vendor"
    first, *others = line.source.split("; ")
    return "; ".join([_named(first, cloud), *(_discount(each, cloud) for each in others if _is_discount(each))])


def _is_discount(part: str) -> bool:
    return part == "declared discount" or part.startswith(("1y: ", "3y: "))


def _discount(part: str, cloud: str) -> str:
    term, colon, source = part.partition(": ")
    return f"{term} commitment by the {_named(source, cloud)}" if colon else part


def _named(source: str, cloud: str) -> str:
    name = next((name for begins, name in _NAMES.items() if source.startswith(begins)), "")
    return name.format(cloud=cloud) if name else _COPY.sub("", source)
