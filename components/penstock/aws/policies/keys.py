"""Keys of KMS on AWS: the customer's own, and those that AWS keeps for a service."""

from __future__ import annotations

import re
from dataclasses import dataclass

from typing_extensions import override

from penstock.graph.property_path import Location
from penstock.graph.verdict import Verdict, fail
from penstock.graph.view import Block
from penstock.rules.checks import Given
from penstock.rules.settings import Settings

_OF_AWS = re.compile(r"(?:arn:aws[\w-]*:kms:[^:]*:[^:]*:)?alias/aws/.+")
"""The aliases of AWS managed keys (KMS developer guide, "AWS managed keys"); nobody else may take such a name."""


@dataclass(frozen=True, slots=True)
class OwnKey(Given):
    """The property names a key, and none that AWS keeps for a service: alias/aws/s3 opens for all whom S3 lets in."""

    @override
    def of_location(self, it: Block, place: Location, settings: Settings) -> Verdict:
        if isinstance(place.value, str) and _OF_AWS.fullmatch(place.value):
            return fail(f"{place.path} is AWS's own {place.value}", path=place.path)
        return Given.of_location(self, it, place, settings)
