"""Services of teams, which take no traffic of others."""

from __future__ import annotations

import pulumi

from penstock.addons.queueing.refused import AdmissionRule, JudgedKind, refuse


def refuse_external_ips(name: str, opts: pulumi.ResourceOptions) -> None:
    """Refuse Services of teams with `externalIPs`: every node sends what goes to such an address to their pods.

    Whoever may create Services may write there any address, also that of a server of others (CVE-2020-8554).
    """
    refuse(
        name,
        "penstock-service-addresses",
        [JudgedKind("", "services")],
        [
            AdmissionRule(
                "!has(object.spec.externalIPs) || object.spec.externalIPs.size() == 0",
                "Services of teams have no externalIPs: leave them out.",
            )
        ],
        opts,
    )
