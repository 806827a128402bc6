"""Facts that several rules on descriptions for AWS read; None for what is unknown."""

from __future__ import annotations

from penstock.aws.facts.machines import AwsMachine
from penstock.description.node_pool import NodePoolSpec
from penstock.description.platform import Spec
from penstock.description.rules import known

_ACCOUNT_DIGITS = 12


def account(spec: Spec) -> str | None:
    """The number of the AWS account that the platform must stay in."""
    account = spec.cloud.account or ""
    return account if len(account) == _ACCOUNT_DIGITS and account.isascii() and account.isdigit() else None


def machine(pool: NodePoolSpec, spec: Spec) -> AwsMachine | None:
    """The machine of a pool in the region of the platform."""
    found = known.machine(pool, spec)
    return found if isinstance(found, AwsMachine) else None
