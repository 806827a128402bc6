"""The record of Kubernetes."""

from __future__ import annotations

from typing import Final

from penstock.providers.provider import PluginTraits, Provider


def _stand_in(type_: str) -> str:
    from penstock.kubernetes.facts.pod_homes import stand_in

    return stand_in(type_)


PROVIDER: Final = Provider(
    name="kubernetes",
    title="Kubernetes",
    package="kubernetes",
    sdk="pulumi_kubernetes",
    place=4,
    plugin=PluginTraits(filled_input=("metadata", "namespace"), filled_with="default"),
    stand_in=_stand_in,
)
