"""What is encrypted with customers' keys on Google Cloud."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pulumi_gcp  # noqa: F401 - its types are known once it is imported
import pytest

from penstock.gcp.facts import key_users, resource_paths, service_agents
from penstock.gcp.facts.key_users import KeyUser
from penstock.graph.property_path import PropertyPath, Step
from penstock.simulate.sdk_types import mismatches


@pytest.mark.parametrize("user", key_users.all_key_users(), ids=lambda user: f"{user.type}-{user.path}")
def test_the_service_behind_a_key_has_an_agent(user: KeyUser) -> None:
    assert user.service in service_agents.services()


def test_a_property_that_names_a_key_is_known_to_point_at_one() -> None:
    leaves = {user.path.rpartition(".")[2] for user in key_users.all_key_users()} - {"keyName"}

    assert {resource_paths.by_property()[leaf].collection for leaf in leaves} == {"cryptoKeys"}


@pytest.mark.parametrize("user", key_users.all_key_users(), ids=lambda user: f"{user.type}-{user.path}")
def test_the_property_is_one_of_the_resource(user: KeyUser) -> None:
    def within(inner: Any, step: Step) -> Any:
        return {step: inner} if isinstance(step, str) else [inner]

    steps = PropertyPath.parse(user.path).steps
    inputs = reduce(within, reversed(steps), {"a": "block, where text is meant"})

    assert user.path in {(mismatch.path or "").replace("[0]", "[]") for mismatch in mismatches(user.type, inputs)}
