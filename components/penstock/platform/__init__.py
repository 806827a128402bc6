"""Composes a description into components: the one place that knows all of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Protocol

import pulumi

from penstock import description
from penstock.core.errors import InvalidDescription
from penstock.description.chart_mirrors import lacking_chart
from penstock.description.nodes import nodes_of
from penstock.description.platform import Spec
from penstock.description.problems import finding
from penstock.description.service_accounts import with_addons
from penstock.graph.source_block import carried
from penstock.platform.site import PlatformSite
from penstock.providers import all_providers

_DECIDED_BY: Final = {
    "k8s-endpoint-first-run": "cluster.deployer_cidrs",
    "res-protect-stateful": ".protect",
    "tags": "tags owner",
    "values.image.repository": "network.image_mirror network.egress",
}
"""The fields that decide what is the same in the parts of all platforms, as `SourceBlock` has them."""


class Composed(Protocol):
    """A platform on one cloud, composed from a `Site`."""

    @property
    def outputs(self) -> Mapping[str, pulumi.Input[object]]:
        """The names, endpoints and mount points of the platform."""


class PlatformComposer(Protocol):
    """What composes platforms on one cloud."""

    @property
    def decided_by(self) -> Mapping[str, str]:
        """The fields that decide what is the same in all parts of a platform, as `SourceBlock` has them."""

    def __call__(self, site: PlatformSite) -> Composed:
        """Compose the components of a description."""


class Platform(pulumi.ComponentResource):
    """One AI platform on one cloud, in the order in which the cloud can build it.

    `outputs` is what its users need to reach it: names, endpoints and mount points, none of them secret.
    """

    outputs: Mapping[str, pulumi.Input[object]]

    def __init__(self, spec: Spec, opts: pulumi.ResourceOptions | None = None) -> None:
        composer = _composer(spec.cloud.provider)
        source = carried((), {**_DECIDED_BY, **composer.decided_by})
        super().__init__("penstock:index:Platform", spec.name, source, opts)
        site = PlatformSite(with_addons(spec), pulumi.ResourceOptions(parent=self))
        self.outputs = _composed(site, composer)
        place = " ".join(filter(None, (spec.cloud.provider, spec.cloud.profile, site.region)))
        summary = f"{place}, {spec.environment}"
        # Nothing else shows the machines of a cluster that exists already.
        described = spec.model_dump(mode="json", exclude_unset=True)  # `penstock import` reads it from the state
        outputs = {"summary": summary, "node_pools": _pools(site.spec), "description": described, **self.outputs}
        self.register_outputs(outputs)


def deploy() -> Platform:
    """Create the platform that the stack file describes, and export its outputs: a whole Pulumi program.

    Raises:
        pulumi.RunError: the description cannot be built. The Pulumi CLI prints it without a traceback.
    """
    try:
        platform = Platform(description.parse(pulumi.Config("penstock").require_object("platform")))
    except InvalidDescription as invalid:
        raise pulumi.RunError(str(invalid)) from None
    for name, value in platform.outputs.items():
        pulumi.export(name, value)
    return platform


def _pools(spec: Spec) -> list[dict[str, Any]]:
    """Return the pools of a description as reports draw them."""
    return [
        {
            "name": each.pool,
            "nodes": {"min": each.nodes.min, "max": each.nodes.max},
            "machine_type": each.machine_type or "",
            "accelerator": each.accelerator or "",
            "accelerators": each.accelerators,
            "fabric": each.fabric or "",
        }
        for each in nodes_of(spec)
    ]


def _composer(name: str) -> PlatformComposer:
    """The composer of a provider; only the SDK of its cloud is loaded, for they are large."""
    (provider,) = (each for each in all_providers() if each.name == name)
    composer: PlatformComposer = provider.load("composer")
    return composer


def _composed(site: PlatformSite, composer: PlatformComposer) -> Mapping[str, pulumi.Input[object]]:
    """Compose the components of the description.

    Raises:
        InvalidDescription: charts come from a folder that lacks some.
    """
    mirror = site.spec.network.chart_mirror
    if mirror is None:
        return composer(site).outputs
    from penstock.kubernetes.components.release import MissingCharts, charts_from  # loads the SDK of Kubernetes

    try:
        with charts_from(mirror):
            return composer(site).outputs
    except MissingCharts as missing:
        raise InvalidDescription([finding(*lacking_chart(mirror, chart)) for chart in missing.charts]) from None
