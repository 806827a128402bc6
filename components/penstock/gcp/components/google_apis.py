"""The names of Google's APIs in a network that reaches nothing else."""

from __future__ import annotations

import pulumi
from pulumi_gcp import dns

from penstock.description.network import NetworkSpec
from penstock.gcp.components.handles import ProjectHandle
from penstock.gcp.facts import address_ranges

_DOMAINS = {"googleapis.com.": "private.googleapis.com.", "gcr.io.": "gcr.io.", "pkg.dev.": "pkg.dev."}
"""The domains of APIs and images, each with the name in it that the addresses are given to."""

_TTL_S = 300


class GoogleApis(pulumi.ComponentResource):
    """Private zones in which every name of an API or an image registry of Google is one of four addresses.

    Otherwise such a name is any of thousands, which change, and no firewall rule could separate them from others.
    """

    def __init__(
        self,
        name: str,
        spec: NetworkSpec,
        *,
        network: pulumi.Input[str],
        project: ProjectHandle,
        opts: pulumi.ResourceOptions | None = None,
    ) -> None:
        super().__init__("penstock:gcp:GoogleApis", name, None, opts)

        addresses = [str(address) for address in address_ranges.private_apis()]
        for domain, named in _DOMAINS.items():
            part = f"{name}-{domain.partition('.')[0]}"
            zone = dns.ManagedZone(
                part,
                project=project.id,
                dns_name=domain,
                description="Google's APIs by their private addresses",
                visibility="private",
                private_visibility_config={"networks": [{"network_url": network}]},
                labels=spec.tags,
                opts=pulumi.ResourceOptions(parent=self, depends_on=project.on("dns")),
            )
            for record, type_, named_so, data in (
                (part, "A", named, addresses),
                (f"{part}-any", "CNAME", f"*.{domain}", [named]),
            ):
                dns.RecordSet(
                    record,
                    project=project.id,
                    managed_zone=zone.name,
                    name=named_so,
                    type=type_,
                    ttl=_TTL_S,
                    rrdatas=data,
                    opts=pulumi.ResourceOptions(parent=self),
                )
        self.register_outputs({})
