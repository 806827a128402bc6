"""Clients of FSx for Lustre: machines that user data sets up to mount over EFA."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from penstock.aws.facts.lustre_clients import FIRST_NITRO, find_client
from penstock.aws.rules import nodes
from penstock.aws.types import EC2_INSTANCE, EC2_LAUNCH_TEMPLATE
from penstock.graph.verdict import NOT_APPLICABLE, Verdict, allow
from penstock.graph.view import View
from penstock.rules.levels import MEDIUM, Category
from penstock.rules.rule import RuleSet
from penstock.secrets.decoding import unwrapped

RULES = RuleSet(Category.PROVIDER)

_USER_DATA: Final = ("userData", "userDataBase64")
_SETS_UP: Final = re.compile(
    r"configure-efa-fsx-lustre-client|lnetctl\s+net\s+add\s[^\n]*--net[ =]efa\b|lustre-over-efa"
)
"""AWS' script, its commands, and the service that Penstock's nodes run."""


@RULES.rule(
    on=(EC2_LAUNCH_TEMPLATE, EC2_INSTANCE),
    severity=MEDIUM,
    rationale=(
        "FSx for Lustre supports EFA clients on Nitro v4 or newer, but not on Trainium2. On other machines a "
        "mount falls back to TCP at best."
    ),
    fix="Remove the set-up of EFA for Lustre from userData of these machines, which mount over TCP.",
    joins=True,
    sources=("FSx for Lustre user guide, configuring EFA clients",),
)
def aws_lustre_efa_nitro(starter: View) -> Verdict:
    """Machines that user data sets up as EFA clients of Lustre are of Nitro v4 or newer."""
    path = next((key for key, text in _user_data(starter) if _SETS_UP.search(text)), None)
    if path is None:
        return NOT_APPLICABLE
    clients = {name: find_client(name.partition(".")[0]) for name in _types(starter)}
    unfit = {name: client for name, client in clients.items() if client is not None and not client.over_efa}
    if not clients or (not unfit and None in clients.values()):
        return NOT_APPLICABLE
    found = ", ".join(f"{name} (Nitro v{client.nitro})" for name, client in sorted(unfit.items()))
    message = f"{path} sets up EFA for Lustre on {found}; FSx supports it on Nitro v{FIRST_NITRO} or newer, not on Trn2"
    return allow(not unfit, message, path=path)


def _user_data(starter: View) -> Iterator[tuple[str, str]]:
    for key in _USER_DATA:
        text = starter.text(key)
        if text is not None:
            yield key, text
            yield from ((key, inner) for inner in unwrapped(text))


def _types(starter: View) -> set[str]:
    if starter.type == EC2_INSTANCE:
        name = starter.text("instanceType")
        return {name} if name is not None else set()
    return {named.name for named in nodes.types_of_template(starter)}
