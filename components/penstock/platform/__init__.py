"""Composes a description into components: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Mapping

import pulumi

from penstock.platform.site import Site
from penstock.spec.platform import Spec


class Platform(pulumi.ComponentResource):
    """One AI platform on one cloud, in the order in which the cloud can build it.

    `outputs` is what its users need to reach it: names, endpoints and mount points, none of them secret.
    """

    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, spec: Spec, opts: pulumi.ResourceOptions | None = None) -> None:
        super().__init__("penstock:index:Platform", spec.name, None, opts)
        site = Site(spec, pulumi.ResourceOptions(parent=self))
        self.outputs = _composed(site)
        summary = f"{spec.cloud.provider} {site.region}, {spec.environment}"
        self.register_outputs({"summary": summary, **self.outputs})


def _composed(site: Site) -> Mapping[str, pulumi.Input[object]]:
    """The components of the description's cloud; only its SDK is loaded, for they are large."""
    if site.spec.cloud.provider == "gcp":
        from penstock.platform.gcp import OnGcp

        return OnGcp(site).outputs
    from penstock.platform.aws import OnAws

    return OnAws(site).outputs
