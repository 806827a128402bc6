"""Rules on the cluster, for Azure alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from penstock.azure.description.rules.cloud import GUID
from penstock.core.wording import quoted
from penstock.description.platform import Spec
from penstock.description.problems import Problem
from penstock.description.rules.rule import rule

_ADMIN = rf"(group|user|app):{GUID}"


@rule("SPEC-052", reads=("cluster",), provider="azure")
def admins_are_of_entra(spec: Spec) -> Iterator[Problem]:
    """Admins are groups, users or applications of Entra ID by their object ids, once each."""
    for index, admin in enumerate(spec.cluster.admins):
        path = ("cluster", "admins", index)
        if not re.fullmatch(_ADMIN, admin):
            message = f"{quoted(admin)} is not a group, user or application of Entra ID."
            hint = "Write group:, user: or app: and the object id: az ad group show --group NAME --query id."
            yield Problem(path, message, hint)
        elif admin in spec.cluster.admins[:index]:
            yield Problem(path, f"{quoted(admin)} is listed twice.", "List each admin once.")
