"""What the Service Authorization Reference and the SDK's documentation leave open of AWS' ids and ARNs, by hand.

`aws_identities.csv` has a row by module and class (`sqs.Queue`):

    resource   the service and the resource type of the reference, where that has another name
    named      the property that bears the physical name, where the documentation of imports does not say so
    id         the id as the provider keeps it, where the documentation shows another one for imports, or none
    arn        the ARN, where it needs more than the parts that the reference names, or is not there
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from penstock.catalog import tables

_ROWS: Final = {row["type"]: row for row in tables.rows("aws_identities", Path(__file__).parent)}

RESOURCES: Final[Mapping[str, str]] = {type_: row["resource"] for type_, row in _ROWS.items() if row["resource"]}
NAMED: Final[Mapping[str, str]] = {type_: row["named"] for type_, row in _ROWS.items() if row["named"]}
IDS: Final[Mapping[str, str]] = {type_: row["id"] for type_, row in _ROWS.items() if row["id"]}
ARNS: Final[Mapping[str, str]] = {type_: row["arn"] for type_, row in _ROWS.items() if row["arn"]}

PLACEHOLDERS: Final[Mapping[str, str]] = {
    "AccountId": "{account}",
    "GroupNameWithPath": "{path}{name}",
    "InstanceProfileNameWithPath": "{path}{name}",
    "PolicyNameWithPath": "{path}{name}",
    "RoleNameWithPath": "{path}{name}",
    "SAMLProviderName": "{name}",
    "UserNameWithPath": "{path}{name}",
}
"""Words of the reference that stand for the same part everywhere."""

SERVICES: Final[Mapping[str, tuple[str, ...]]] = {"ebs": ("ec2",), "elasticsearch": ("es",)}
"""Services of the reference whose resources a module of the SDK makes, beside those of the API."""
