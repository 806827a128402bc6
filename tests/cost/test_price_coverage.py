"""The bill covers the resource types that other cost tools price."""

from __future__ import annotations

from importlib import import_module

import pytest
from tests.benchmarks.price_coverage import priced_types

from penstock.providers import provider_of
from penstock.simulate.sdk_types import input_types


@pytest.mark.parametrize("cloud", priced_types())
def test_each_type_and_input_exists_in_the_sdk(cloud: str) -> None:
    for name, resources in priced_types()[cloud].items():
        for type_, inputs in resources.items():
            provider = provider_of(type_)
            assert provider is not None, name
            import_module(provider.sdk)
            known = input_types(type_)
            assert known is not None, f"{name}: {type_} is not a type of the SDK"
            assert set(inputs) <= set(known), f"{name}: {sorted(set(inputs) - set(known))}"
