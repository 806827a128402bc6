"""A state that Pulumi exported is read, compared with, and gone on from; a broken one is refused in words."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pulumi
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pulumi_aws import ec2, s3
from pulumi_kubernetes.core.v1 import ConfigMap

from penstock.changes.diff import diff
from penstock.changes.diff_findings import findings_of
from penstock.core.errors import UnusableState
from penstock.graph.graph import Graph
from penstock.graph.values import SEALED, Secret
from penstock.simulate import exported_state
from penstock.simulate.run import rehearse

SIGNATURE = "4dabf18193072939515e22adb298388d"
SECRET = "1b47061264138c4ac30d75fd1eb44270"

Load = Callable[[Any], Graph]


def program(zone: str = "us-east-1a") -> Callable[[], object]:
    def run() -> None:
        vpc = ec2.Vpc("v", cidr_block="10.0.0.0/16")
        ec2.Subnet("s", vpc_id=vpc.id, cidr_block="10.0.1.0/24", availability_zone=zone)
        s3.Bucket("b", tags={"key": pulumi.Output.secret("hunter2")}, opts=pulumi.ResourceOptions(protect=True))

    return run


def written(value: Any, *, sealed: bool = False) -> Any:
    """A value as a state file has it."""
    if isinstance(value, Secret):
        content = {"ciphertext": "v1:abc"} if sealed else {"plaintext": json.dumps(written(value.value))}
        return {SIGNATURE: SECRET, **content}
    if isinstance(value, dict):
        return {key: written(item, sealed=sealed) for key, item in value.items()}
    return [written(item, sealed=sealed) for item in value] if isinstance(value, list) else value


def exported(graph: Graph, *, sealed: bool = False) -> dict[str, Any]:
    """What `pulumi stack export` would write of this stack."""
    resources = [
        {
            "urn": each.urn,
            "custom": each.custom,
            "id": each.id,
            "type": each.type,
            "inputs": written(dict(each.inputs), sealed=sealed),
            "outputs": written({**each.inputs, **each.outputs}, sealed=sealed),
            "parent": each.parent,
            "provider": each.provider,
            "dependencies": list(each.dependencies),
            "propertyDependencies": {key: list(urns) for key, urns in each.property_dependencies.items()},
            "protect": each.options.protect,
            "sourcePosition": f"project:///{each.place.file}#{each.place.line},4" if each.place else "",
        }
        for each in graph
    ]
    return {"version": 3, "deployment": {"manifest": {}, "resources": resources}}


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Reads a state that is written first: as JSON, or as it is where it is text."""

    def read(content: Any) -> Graph:
        file = tmp_path / "export.json"
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        return exported_state.load_state(file, project="project", stack="stack")

    return read


@pytest.mark.parametrize("sealed", [True, False])
def test_a_program_changes_nothing_of_the_state_that_it_made(load: Load, sealed: bool) -> None:
    stands = load(exported(rehearse(program()).graph, sealed=sealed))

    assert not diff(stands, rehearse(program(), before=stands))


def test_a_change_against_a_state_is_reported_with_its_cause_and_place(load: Load) -> None:
    stands = load(exported(rehearse(program()).graph))
    changes = diff(stands, rehearse(program("us-east-1b"), before=stands))

    (subnet,) = changes.replaced
    assert subnet.causes[0].path == "availabilityZone"
    assert not changes.updated
    gone = diff(stands, rehearse(lambda: None, before=stands))
    assert {each.resource.place.file for each in gone.deleted if each.resource.place} == {
        "tests/simulate/test_exported_state.py"
    }
    assert "DIFF-002" in [finding.code for finding in findings_of(gone)]


def test_a_run_goes_on_from_the_ids_of_the_state(load: Load) -> None:
    content = exported(rehearse(program()).graph)
    (vpc,) = (each for each in content["deployment"]["resources"] if each["type"] == "aws:ec2/vpc:Vpc")
    content = json.loads(json.dumps(content).replace(vpc["id"], "vpc-really"))
    stands = load(content)

    graph = rehearse(program(), before=stands).graph

    assert graph[vpc["urn"]].id == "vpc-really"
    assert not diff(stands, graph)


def test_what_the_provider_filled_in_is_no_change(load: Load) -> None:
    content = exported(rehearse(program()).graph)
    for each in content["deployment"]["resources"]:
        if each["type"] == "aws:s3/bucket:Bucket":
            each["inputs"] |= {"bucket": "b-1234567", "__defaults": ["bucket"]}
            each["inputs"]["tags"]["__defaults"] = []
    stands = load(content)

    assert not diff(stands, rehearse(program(), before=stands))


def test_a_name_that_kubernetes_or_azure_made_up_is_no_input(load: Load) -> None:
    head = "urn:pulumi:stack::project::"
    accounts = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts"
    annotated = {"name": "settings-12345678", "annotations": {"pulumi.com/autonamed": "true", "team": "ml"}}
    resources: list[dict[str, Any]] = [
        {
            "urn": f"{head}kubernetes:core/v1:ConfigMap::settings",
            "type": "kubernetes:core/v1:ConfigMap",
            "custom": True,
            "inputs": {"metadata": annotated, "data": {"a": "b"}},
        },
        {
            "urn": f"{head}azure-native:storage:StorageAccount::models",
            "type": "azure-native:storage:StorageAccount",
            "custom": True,
            "id": f"{accounts}/models0a1b2c3d",
            "inputs": {"accountName": "models0a1b2c3d", "location": "westeurope"},
        },
        {
            "urn": f"{head}azure-native:storage:BlobContainer::models",
            "type": "azure-native:storage:BlobContainer",
            "custom": True,
            "id": f"{accounts}/models0a1b2c3d/blobServices/default/containers/weights",
            "inputs": {"accountName": "models0a1b2c3d", "containerName": "weights"},
        },
    ]
    settings, account, container = (
        load({"version": 3, "deployment": {"resources": resources}}).resources[each["urn"]] for each in resources
    )

    assert settings.inputs == {"metadata": {"annotations": {"team": "ml"}}, "data": {"a": "b"}}
    assert account.inputs == {"location": "westeurope"}
    assert container.inputs == {"accountName": "models0a1b2c3d", "containerName": "weights"}


def test_secrets_stay_secrets(load: Load) -> None:
    for sealed, value in ((True, SEALED), (False, "hunter2")):
        stands = load(exported(rehearse(program()).graph, sealed=sealed))
        (bucket,) = stands.of_type("aws:s3/bucket:Bucket")

        assert bucket.inputs["tags"]["key"] == Secret(value)
        assert "hunter2" not in repr(bucket)


def test_what_is_only_left_to_be_deleted_does_not_stand_any_more(load: Load) -> None:
    content = exported(rehearse(program()).graph)
    (subnet,) = (each for each in content["deployment"]["resources"] if each["type"] == "aws:ec2/subnet:Subnet")
    content["deployment"]["resources"].append({**subnet, "id": "subnet-old", "delete": True})

    (stands,) = load(content).of_type("aws:ec2/subnet:Subnet")
    assert stands.id == subnet["id"]


def test_an_empty_stack_creates_everything(load: Load) -> None:
    stands = load({"version": 3, "deployment": {"manifest": {}}})

    assert len(diff(stands, rehearse(program(), before=stands)).created) == 3


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "is not readable JSON"),
        ("{", "is not readable JSON"),
        ("[]", "is not a state"),
        ({}, "is not a state"),
        ({"version": 99, "deployment": {}}, "version 99"),
        ({"version": 2, "deployment": {}}, "version 2"),
        ({"version": 3}, "no deployment"),
        ({"version": 3, "deployment": {"resources": {}}}, "not a list of resources"),
        ({"version": 3, "deployment": {"resources": [{}]}}, "no URN"),
        (
            {"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:stack::project::a:b:C::d"}]}},
            "d has no type",
        ),
        ({"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:prod::project::a:b:C::d"}]}}, "stack prod"),
        ({"version": 3, "deployment": {"resources": [{"urn": "urn:pulumi:stack::shop::a:b:C::d"}]}}, "project shop"),
    ],
)
def test_what_is_no_state_of_this_stack_is_refused_in_words(load: Load, content: Any, said: str) -> None:
    with pytest.raises(UnusableState, match=said):
        load(content)


BUCKET: dict[str, Any] = {
    "urn": "urn:pulumi:stack::project::aws:s3/bucket:Bucket::b",
    "type": "aws:s3/bucket:Bucket",
    "custom": True,
}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("id", 5),
        ("parent", ["x"]),
        ("provider", 5),
        ("inputs", [1]),
        ("outputs", "text"),
        ("dependencies", "urn"),
        ("dependencies", [5]),
        ("ignoreChanges", 5),
        ("protect", "yes"),
        ("customTimeouts", "20m"),
        ("propertyDependencies", [1]),
        ("propertyDependencies", {"tags": 5}),
        ("stackTrace", "main.py"),
        ("inputs", {"tags": {SIGNATURE: SECRET, "plaintext": "no json hunter2"}}),
    ],
)
def test_a_broken_resource_is_refused_by_its_name_and_shows_nothing_of_it(load: Load, field: str, value: Any) -> None:
    with pytest.raises(UnusableState, match=BUCKET["urn"]) as refused:
        load({"version": 3, "deployment": {"resources": [{**BUCKET, field: value}]}})

    assert "hunter2" not in str(refused.value)


@pytest.mark.parametrize("field", ["parent", "dependencies"])
def test_a_circle_is_refused_instead_of_left_out(load: Load, field: str) -> None:
    urn = BUCKET["urn"]
    with pytest.raises(UnusableState, match=r"Bucket::b depends on leads in a circle"):
        load({"version": 3, "deployment": {"resources": [{**BUCKET, field: urn if field == "parent" else [urn]}]}})


def test_two_resources_that_stand_under_one_urn_are_refused(load: Load) -> None:
    old = {**BUCKET, "id": "old", "delete": True}
    assert load({"version": 3, "deployment": {"resources": [BUCKET, old]}})

    with pytest.raises(UnusableState, match=r"two resources .*Bucket::b"):
        load({"version": 3, "deployment": {"resources": [BUCKET, {**old, "delete": False}]}})


def test_a_state_nested_without_end_is_refused(load: Load) -> None:
    with pytest.raises(UnusableState, match="is not readable JSON"):
        load("[" * 100_000)


def test_a_file_with_a_byte_order_mark_is_read(load: Load) -> None:
    assert not len(load("\ufeff" + json.dumps({"version": 3, "deployment": {}})))


@pytest.mark.parametrize(
    ("type_", "added", "build"),
    [
        ("aws:ec2/vpc:Vpc", {"region": "us-east-1"}, lambda: ec2.Vpc("x")),
        ("aws:ec2/vpc:Vpc", {"tagsAll": {"a": "1"}}, lambda: ec2.Vpc("x")),
        ("aws:ec2/vpc:Vpc", {"__defaults": ["region"], "region": "us-east-1"}, lambda: ec2.Vpc("x")),
        ("kubernetes:core/v1:ConfigMap", {"metadata": {"namespace": "default"}}, lambda: ConfigMap("x")),
        (
            "kubernetes:core/v1:ConfigMap",
            {"__fieldManager": "pulumi", "__initialApiVersion": "v1"},
            lambda: ConfigMap("x"),
        ),
        (
            "kubernetes:core/v1:ConfigMap",
            {"metadata": {"annotations": {"kubectl.kubernetes.io/last-applied-configuration": "{}"}}},
            lambda: ConfigMap("x"),
        ),
    ],
)
def test_what_the_real_provider_added_to_the_inputs_is_no_change(
    load: Load, type_: str, added: dict[str, Any], build: Callable[[], object]
) -> None:
    kind = {"apiVersion": "v1", "kind": "ConfigMap"} if type_.startswith("kubernetes") else {}
    stands = load(
        {
            "version": 3,
            "deployment": {
                "resources": [
                    {
                        "urn": f"urn:pulumi:stack::project::{type_}::x",
                        "type": type_,
                        "custom": True,
                        "id": "x-1",
                        "inputs": {**kind, **added},
                        "outputs": {**kind, **added},
                    }
                ]
            },
        }
    )

    after = rehearse(build, config={"aws:region": "us-east-1"}, before=stands)
    assert not len(diff(stands, after))
    (stays,) = after.graph.of_type(type_)
    assert stays.id == "x-1"


def test_a_namespace_or_region_that_the_provider_now_has_another_of_is_a_replacement(load: Load) -> None:
    record = {
        "urn": "urn:pulumi:stack::project::aws:ec2/vpc:Vpc::x",
        "type": "aws:ec2/vpc:Vpc",
        "custom": True,
        "id": "vpc-1",
        "inputs": {"region": "us-east-1"},
    }
    stands = load({"version": 3, "deployment": {"resources": [record]}})

    (replaced,) = diff(stands, rehearse(lambda: ec2.Vpc("x"), config={"aws:region": "us-west-2"})).replaced
    assert [cause.path for cause in replaced.causes] == ["region"]


def test_a_file_that_is_not_there_is_reported_as_such(tmp_path: Path) -> None:
    with pytest.raises(UnusableState, match="no such file"):
        exported_state.load_state(tmp_path / "none.json", project="p", stack="s")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
)
FIELDS = (
    "urn",
    "type",
    "inputs",
    "outputs",
    "parent",
    "dependencies",
    "propertyDependencies",
    "customTimeouts",
    "provider",
)


@given(st.sampled_from(FIELDS), JSON)
def test_whatever_stands_in_a_field_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, field: str, value: Any
) -> None:
    record = {"urn": "urn:pulumi:stack::project::a:b:C::d", "type": "a:b:C", "custom": True, field: value}
    file = tmp_path_factory.mktemp("state") / "export.json"
    file.write_text(json.dumps({"version": 3, "deployment": {"resources": [record]}}))

    try:
        graph = exported_state.load_state(file, project="project", stack="stack")
    except UnusableState:
        return
    assert len(graph) == 1
