"""What a plugin refuses of one resource, beside what is refused of the whole."""

from __future__ import annotations

import pytest
from tests.environments import STACKS, rehearsed

from penstock.simulate.clouds import CreateRequest
from penstock.simulate.engine import refusals

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("stack", STACKS)
def test_nothing_is_refused_alone_that_the_whole_lets_pass(stack: str) -> None:
    rehearsal = rehearsed(stack, preview=True)
    failed = {(finding.urn, finding.code) for finding in rehearsal.findings}

    refused = set()
    for resource in rehearsal.graph:
        provider = rehearsal.graph.resources.get(resource.provider_urn)
        if resource.custom and provider is not None:
            asked = CreateRequest(resource.urn, resource.type, resource.name, resource.inputs, provider.inputs)
            refused |= {(resource.urn, mismatch.code) for mismatch in refusals.refused(asked)}

    assert refused <= failed
