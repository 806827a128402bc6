"""Service-linked roles that AWS does not create by itself before the API needs them.

Most services create theirs with their first resource: EKS, Auto Scaling, FSx, ElastiCache, MSK, load balancers. They
have no row.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Annotated

from penstock.catalog.conditions import RowCondition, condition
from penstock.catalog.records import Column, records


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedRole:
    """A role of a service that resources of a type need.

    Attributes:
        type: The type of the resources.
        when: A property and its value, where only some of them need it.
        service: The service, as `aws:iam/serviceLinkedRole:ServiceLinkedRole` names it.
        role: The name of the role.
    """

    type: str
    when: Annotated[RowCondition | None, Column(read=condition)]
    service: str
    role: str
    unverified: tuple[str, ...]
    source: str
    as_of: str


def all_linked_roles() -> tuple[LinkedRole, ...]:
    """Return every role that is needed, in the order of the table."""
    return records(LinkedRole, "aws/service_linked_roles")


@cache
def linked_roles_of(type_: str) -> tuple[LinkedRole, ...]:
    """Return the roles that resources of a type may need."""
    return tuple(each for each in all_linked_roles() if each.type == type_)
