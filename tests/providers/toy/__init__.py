"""A cloud that nobody sells, in one folder: all that Penstock asks of a provider, and no line of shared code."""

from __future__ import annotations

from penstock.providers import Provider

TOY = Provider(
    name="toy",
    title="Toy Cloud",
    package="toy",
    sdk="tests.providers.toy.sdk",
    quota_page="The toy box",
    catalogue="tests.providers.toy",
    offer="tests.providers.toy.offer:OFFER",
    description_rules="tests.providers.toy.description_rules",
    nodes="tests.providers.toy.nodes:read",
    composer="tests.providers.toy.composer:OnToy",
    simulated_cloud="tests.providers.toy.simulated_cloud",
    pools="tests.providers.toy.pools",
    prices="tests.providers.toy.prices",
    rules="tests.providers.toy.rules",
    preconditions="tests.providers.toy.preconditions",
)
