"""Every object that a component registers is one that a real API server takes, field by field."""

from __future__ import annotations

import pytest
from tests.cluster.api import Refused
from tests.cluster.control_plane import ControlPlane
from tests.cluster.objects import manifests
from tests.cluster.stand_ins import define_kinds
from tests.environments import STACKS, rehearsed

pytestmark = pytest.mark.cluster


@pytest.mark.parametrize("stack", STACKS)
def test_a_server_takes_every_object_under_strict_validation(stack: str, cluster: ControlPlane) -> None:
    graph = rehearsed(stack).graph
    define_kinds(cluster.api, graph)
    refused = {}
    for urn, manifest in manifests(graph):
        cluster.api.ensure_namespace(manifest)
        try:
            cluster.api.apply(manifest, dry_run=True)
        except Refused as words:
            refused[urn] = str(words)

    assert refused == {}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"kind": "ConfigMap", "daat": {"a": "1"}}, "field not declared in schema"),
        ({"kind": "ConfigMap", "data": {"a": 1}}, "expected string"),
    ],
)
def test_a_field_that_no_server_knows_is_refused(wrong: dict[str, object], words: str, cluster: ControlPlane) -> None:
    with pytest.raises(Refused, match=words):
        cluster.api.apply({"apiVersion": "v1", "metadata": {"name": "it"}, **wrong}, dry_run=True)
