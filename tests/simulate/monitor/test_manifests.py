"""The objects in manifests are registered as the Kubernetes provider would register them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pulumi
import pytest
from pulumi_kubernetes.yaml import v2

from penstock.core.errors import ProgramFailed
from penstock.graph.graph import Graph, Resource
from penstock.graph.values import Secret
from penstock.simulate.run import rehearse

MANIFEST = """
apiVersion: v1
kind: ConfigMap
metadata: {name: settings, namespace: team}
data: {since: 2026-01-01}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
---
apiVersion: v1
kind: List
items:
  - apiVersion: rbac.authorization.k8s.io/v1
    kind: ClusterRole
    metadata: {name: reader}
  - apiVersion: v1
    kind: Secret
    metadata: {name: token}
    stringData: {token: hunter2}
"""


def objects(graph: Graph) -> dict[str, Resource]:
    return {
        resource.name: resource for resource in graph if resource.type.startswith("kubernetes:") and resource.custom
    }


def group(**given: Any) -> Graph:
    return rehearse(lambda: v2.ConfigGroup("g", **given)).graph


def test_each_object_is_a_child_named_by_component_namespace_and_name() -> None:
    graph = group(yaml=MANIFEST)
    (component,) = graph.of_type("kubernetes:yaml/v2:ConfigGroup")

    found = objects(graph)

    assert {name: resource.type for name, resource in found.items()} == {
        "g:team/settings": "kubernetes:core/v1:ConfigMap",
        "g:team": "kubernetes:core/v1:Namespace",
        "g:reader": "kubernetes:rbac.authorization.k8s.io/v1:ClusterRole",
        "g:default/token": "kubernetes:core/v1:Secret",
    }
    assert {resource.parent for resource in found.values()} == {component.urn}
    assert found["g:team/settings"].inputs["data"] == {"since": "2026-01-01"}


def test_an_object_waits_for_its_namespace() -> None:
    found = objects(group(yaml=MANIFEST))

    assert found["g:team/settings"].dependencies == (found["g:team"].urn,)
    assert found["g:reader"].dependencies == ()


def test_an_object_waits_for_the_definition_of_its_kind() -> None:
    queue = {"apiVersion": "example.com/v1", "kind": "Queue", "metadata": {"name": "q"}}
    definition = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "queues.example.com"},
        "spec": {
            "group": "example.com",
            "names": {"kind": "Queue", "plural": "queues"},
            "scope": "Cluster",
            "versions": [],
        },
    }

    found = objects(group(objs=[queue, definition]))

    assert found["g:q"].dependencies == (found["g:queues.example.com"].urn,)


def test_what_a_secret_holds_is_secret() -> None:
    secret = objects(group(yaml=MANIFEST))["g:default/token"]

    assert secret.inputs["stringData"] == Secret({"token": "hunter2"})


def test_a_manifest_that_is_secret_as_a_whole_gives_nothing_away() -> None:
    graph = rehearse(lambda: v2.ConfigGroup("g", yaml=pulumi.Output.secret(MANIFEST))).graph

    assert len(objects(graph)) == 4
    assert "2026" not in repr(objects(graph)["g:team/settings"].inputs)


def test_files_are_read_and_patterns_matched(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / f"{name}.yaml").write_text(f"apiVersion: v1\nkind: Namespace\nmetadata: {{name: {name}}}\n")

    assert set(objects(group(files=[str(tmp_path / "*.yaml")], resource_prefix="p"))) == {"p:a", "p:b"}
    assert set(objects(rehearse(lambda: v2.ConfigFile("f", file=str(tmp_path / "a.yaml"))).graph)) == {"f:a"}


def test_the_objects_pass_transforms() -> None:
    def transform(args: pulumi.ResourceTransformArgs) -> pulumi.ResourceTransformResult:
        return pulumi.ResourceTransformResult(args.props, pulumi.ResourceOptions(protect=True))

    def program() -> None:
        v2.ConfigGroup("g", yaml=MANIFEST, opts=pulumi.ResourceOptions(transforms=[transform]))

    assert all(resource.options.protect for resource in objects(rehearse(program).graph).values())


def test_objects_are_checked_against_their_types() -> None:
    service = {"apiVersion": "v1", "kind": "Service", "metadata": {"name": "s"}, "spec": {"port": 1}}

    findings = rehearse(lambda: v2.ConfigGroup("g", objs=[service])).findings

    assert ("TYPE-001", "spec.port") in {(finding.code, finding.path) for finding in findings}


def test_what_lies_on_another_machine_is_reported_not_to_be_rehearsed() -> None:
    (finding,) = rehearse(lambda: v2.ConfigFile("f", file="https://example.com/all.yaml")).findings

    assert finding.code == "PROGRAM-001"


def test_in_a_preview_what_is_unknown_registers_nothing() -> None:
    def program() -> None:
        name = v2.ConfigGroup("first", yaml=MANIFEST).urn
        later = pulumi.CustomResource("random:index/randomPet:RandomPet", "p", {"length": 2}).id
        v2.ConfigGroup("g", yaml=pulumi.Output.concat("# ", later, "\n", MANIFEST), resource_prefix=name)

    assert not any(name.startswith("g:") for name in objects(rehearse(program, preview=True).graph))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"yaml": "a: [1"}, "not YAML"),
        ({"yaml": "kind: Pod\nmetadata: {name: a}"}, "without kind or apiVersion"),
        ({"yaml": "kind: Pod\napiVersion: v1"}, "without a name"),
        ({"yaml": "- a"}, "not an object"),
        ({"files": ["absent.yaml"]}, "absent.yaml cannot be read"),
    ],
)
def test_a_broken_manifest_is_reported_in_words(given: dict[str, Any], message: str) -> None:
    with pytest.raises(ProgramFailed, match=message):
        group(**given)
