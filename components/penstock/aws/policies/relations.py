"""Relations between resources that decide whether a rule has a purpose for one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

from penstock.aws.types import (
    ALB_LOAD_BALANCER,
    LB_LOAD_BALANCER,
    S3_BUCKET,
    S3_BUCKET_ACL,
    S3_BUCKET_LOGGING,
    S3_BUCKET_POLICY,
)
from penstock.graph.values import Secret, Unknown
from penstock.graph.verdict import NotKnown, allow
from penstock.graph.view import View
from penstock.rules.checks import Custom, values

_LOGGED: Final = (
    (S3_BUCKET_LOGGING, "targetBucket"),
    (S3_BUCKET, "logging.targetBucket"),
    (LB_LOAD_BALANCER, "accessLogs.bucket"),
    (ALB_LOAD_BALANCER, "accessLogs.bucket"),
)
_GRANTEE: Final = "accessControlPolicy.grants[].grantee.uri"
_LOG_ACL: Final = "log-delivery-write"
_LOG_GROUP: Final = "http://acs.amazonaws.com/groups/s3/LogDelivery"
_LOG_SERVICES: Final = ("logging.s3.amazonaws.com", "logdelivery.elasticloadbalancing.amazonaws.com")
"""Services whose logs need a bucket without a customer's key (S3 and Elastic Load Balancing user guides)."""


def is_of_another_stack(path: str, type_: str) -> Custom:
    """A check that the resource which a property points at is not in the program, so that no rule judges it there."""
    return Custom(lambda it, _: allow(not it.found(path, type_), f"{path} is judged with its resource"), others=True)


def takes_logs(it: View) -> bool:
    """Return whether S3 or a load balancer of AWS writes its logs into a bucket, from the program or elsewhere."""
    if any(it.referrers(type_, path) for type_, path in _LOGGED) or _LOG_ACL in (it.given("acl"), *_acls(it)):
        return True
    acls = it.referrers(S3_BUCKET_ACL, "bucket")
    grantees = [*values(it, "grants[].uri"), *(uri for acl in acls for uri in values(acl, _GRANTEE))]
    return _LOG_GROUP in grantees or any(_admits_logs(policy) for policy in it.referrers(S3_BUCKET_POLICY, "bucket"))


def admits_service(it: View, service: str) -> bool:
    """Return whether a policy of a bucket, its own or one beside it, names a service of AWS.

    Raises:
        NotKnown: no known policy does, and another is not known.
    """
    policies = [it.given("policy"), *(policy.given("policy") for policy in it.referrers(S3_BUCKET_POLICY, "bucket"))]
    if any(re.search(rf"""['"]{re.escape(service)}['"]""", str(policy)) for policy in policies):
        return True
    if any(isinstance(policy, Unknown | Secret) for policy in policies):
        raise NotKnown
    return False


def _acls(it: View) -> Iterator[Any]:
    return (acl.given("acl") for acl in it.referrers(S3_BUCKET_ACL, "bucket"))


def _admits_logs(policy: View) -> bool:
    document = policy.value("policy")
    return any(service in str(document) for service in _LOG_SERVICES)
