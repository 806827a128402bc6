"""Keys of KMS on AWS: the customer's own, and those that AWS keeps for a service."""

from __future__ import annotations

import re
from dataclasses import dataclass

from typing_extensions import override

from penstock.resources.verdict import Verdict, fail
from penstock.resources.view import Block, Spot
from penstock.rules.checks import Given

_OF_AWS = re.compile(r"(?:arn:aws[\w-]*:kms:[^:]*:[^:]*:)?alias/aws/.+")
"""The aliases of AWS managed keys (KMS developer guide, "AWS managed keys"); nobody else may take such a name."""


@dataclass(frozen=True, slots=True)
class OwnKey(Given):
    """The property names a key, and none that AWS keeps for a service: alias/aws/s3 opens for all whom S3 lets in."""

    @override
    def of_spot(self, it: Block, spot: Spot) -> Verdict:
        if isinstance(spot.value, str) and _OF_AWS.fullmatch(spot.value):
            return fail(f"{spot.path} is AWS's own {spot.value}", path=spot.path)
        return Given.of_spot(self, it, spot)
