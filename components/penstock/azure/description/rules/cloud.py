"""Rules on region and account, for Azure alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

GUID: Final = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
"""How Azure names subscriptions, tenants and whoever signs in."""


@rule("SPEC-035", reads=("cloud",), provider="azure")
def account_is_a_subscription(spec: Spec) -> Iterator[Problem]:
    """The account on Azure is the id of a subscription."""
    account = spec.cloud.account
    if account is not None and not re.fullmatch(GUID, account):
        hint = "Write its id, such as 00000000-0000-0000-0000-000000000000: az account show --query id."
        yield Problem(("cloud", "account"), f"{quoted(account)} is not the id of a subscription.", hint)
