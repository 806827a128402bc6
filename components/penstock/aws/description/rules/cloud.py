"""Rules on region and account, for AWS alone."""

from __future__ import annotations

from collections.abc import Iterator

from penstock.aws.description.rules import known_on_aws
from penstock.core.wording import listed, quoted
from penstock.description import platform
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules import known
from penstock.description.rules.rule import rule

LEAST_ZONES = 2
"""EKS puts its control plane into two zones (EKS user guide, network requirements), RDS its standby into a second."""


@rule("SPEC-032", reads=("cloud", "network", "cluster", "storage"), provider="aws")
def platform_has_zones_enough(spec: Spec) -> Iterator[Problem]:
    """A new cluster and a database have subnets in two zones at least."""
    database = any(item.kind == "postgres" for item in spec.storage)
    if (spec.cluster.existing is not None and not database) or known.region(spec) is None:
        return
    zones = platform.zones(spec)
    if len(set(zones)) < LEAST_ZONES:
        path = ("cloud", "zones") if spec.cloud.zones else ("network", "existing", "subnets")
        message = (
            f"Cluster and database need subnets in {LEAST_ZONES} zones; cloud.zones has {listed(zones) or 'none'}."
        )
        yield Problem(path, message, "Add a zone. Pools can still be in one zone: set their `zone`.")


@rule("SPEC-033", reads=("cloud",), provider="aws")
def account_is_an_account_number(spec: Spec) -> Iterator[Problem]:
    """An AWS account is twelve digits."""
    if spec.cloud.account is not None and known_on_aws.account(spec) is None:
        message = f"{quoted(spec.cloud.account)} is not an AWS account number."
        yield Problem(("cloud", "account"), message, 'Twelve digits in quotes, such as "123456789012".')
