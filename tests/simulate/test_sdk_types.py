"""Inputs are held against the types of the provider's own SDK."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any, cast

import pulumi
import pulumi_aws as aws
import pytest
from pulumi_aws.ec2 import Vpc
from pulumi_aws.ecs import TaskDefinition
from pulumi_aws.eks import NodeGroup
from pulumi_aws.sqs import Queue
from pulumi_azure_native.managedidentity import UserAssignedIdentity
from pulumi_kubernetes.apiextensions.v1 import CustomResourceDefinition
from pulumi_kubernetes.core.v1 import ConfigMap, Pod, ResourceQuota

from penstock.core.findings import Finding, Severity
from penstock.simulate import sdk_types
from penstock.simulate.run import rehearse


def findings(type_: str, inputs: dict[str, Any]) -> list[Finding]:
    """What the types say when a program registers these very inputs, past the SDK's own constructors."""
    found = rehearse(lambda: pulumi.CustomResource(type_, "it", inputs)).findings
    return [finding for finding in found if finding.code.startswith("TYPE-")]


VPC, TEMPLATE, NODES = "aws:ec2/vpc:Vpc", "aws:ec2/launchTemplate:LaunchTemplate", "aws:eks/nodeGroup:NodeGroup"
QUEUE, TASK = "aws:sqs/queue:Queue", "aws:ecs/taskDefinition:TaskDefinition"
MAP, AZURE = "kubernetes:core/v1:ConfigMap", "azure-native:managedidentity:UserAssignedIdentity"
LOADED = (
    Vpc,
    NodeGroup,
    ConfigMap,
    Pod,
    ResourceQuota,
    Queue,
    TaskDefinition,
    UserAssignedIdentity,
)  # an SDK tells its types once a program has loaded it
SCALING = {"minSize": 0, "maxSize": 1, "desiredSize": 0}


@pytest.mark.parametrize(
    ("type_", "inputs", "code", "path"),
    [
        (VPC, {"cidrBlok": "10.0.0.0/16"}, "TYPE-001", "cidrBlok"),
        (VPC, {"cidrBlock": ["10.0.0.0/16"]}, "TYPE-003", "cidrBlock"),
        (VPC, {"enableDnsSupport": "yes"}, "TYPE-003", "enableDnsSupport"),
        (VPC, {"tags": ["a"]}, "TYPE-003", "tags"),
        (VPC, {"tags": {"a": []}}, "TYPE-003", "tags.a"),
        (TEMPLATE, {"networkInterfaces": [{"networkCardIndx": 1}]}, "TYPE-001", "networkInterfaces[0].networkCardIndx"),
        (TEMPLATE, {"networkInterfaces": {"deviceIndex": 1}}, "TYPE-003", "networkInterfaces"),
        (
            TEMPLATE,
            {"blockDeviceMappings": [{"ebs": {"volumeSize": 1.5}}]},
            "TYPE-003",
            "blockDeviceMappings[0].ebs.volumeSize",
        ),
        (NODES, {"clusterName": "c", "nodeRoleArn": "r", "scalingConfig": SCALING}, "TYPE-002", "subnetIds"),
        (
            NODES,
            {"clusterName": "c", "nodeRoleArn": "r", "subnetIds": ["s"], "scalingConfig": {"minSize": 0, "maxSize": 1}},
            "TYPE-002",
            "scalingConfig.desiredSize",
        ),
    ],
)
def test_a_wrong_input_is_found_at_its_path(type_: str, inputs: dict[str, Any], code: str, path: str) -> None:
    assert [(finding.code, finding.path) for finding in findings(type_, inputs)] == [(code, path)]


def test_a_misspelt_property_is_reported_what_was_meant() -> None:
    (finding,) = findings(VPC, {"cidrBlok": "10.0.0.0/16"})

    assert finding.hint == "Did you mean cidrBlock?"


@pytest.mark.parametrize("value", [pulumi.Output.from_input("10.0.0.0/16"), pulumi.UNKNOWN])
def test_right_unknown_and_secret_values_pass(value: Any) -> None:
    assert not findings(VPC, {"cidrBlock": value, "tags": {"a": value}})


def test_a_wrong_secret_is_found_and_not_repeated() -> None:
    def program() -> None:
        inputs = {"cidrBlock": "10.0.0.0/16", "enableDnsSupport": pulumi.Output.secret("hunter2")}
        pulumi.CustomResource(VPC, "v", inputs)

    (finding,) = rehearse(program).findings

    assert finding.code == "TYPE-003"
    assert "hunter2" not in str(finding)


def test_a_type_of_no_installed_sdk_is_let_through_with_a_warning() -> None:
    (finding,) = findings("nobody:index:Thing", {"anything": [1, {"goes": True}]})

    assert (finding.code, finding.severity) == ("TYPE-004", Severity.WARNING)


def test_a_key_without_a_value_in_a_map_is_let_through() -> None:
    assert not list(sdk_types.mismatches(VPC, {"tags": {"a": None}}))


@pytest.mark.parametrize("type_", ["justname", "aws:Thing"])
def test_a_type_of_any_form_is_let_through_with_a_warning(type_: str) -> None:
    assert {finding.code for finding in findings(type_, {"x": 1})} == {"TYPE-004"}


def test_only_sure_outputs_are_sure() -> None:
    sure = sdk_types.sure_output_types(VPC)

    assert sure["cidrBlock"] is str
    assert "tags" not in sure
    assert "tags" in sdk_types.output_types(VPC)


@pytest.mark.parametrize(
    ("type_", "inputs", "severity"),
    [
        (VPC, {"enableDnsSupport": "true"}, Severity.WARNING),
        (VPC, {"enableDnsSupport": "yes"}, Severity.ERROR),
        (VPC, {"ipv4NetmaskLength": "24"}, Severity.WARNING),
        (VPC, {"ipv4NetmaskLength": "24.5"}, Severity.ERROR),
        (VPC, {"tags": {"size": 5}}, Severity.WARNING),
        (VPC, {"tags": {"size": []}}, Severity.ERROR),
        (TEMPLATE, {"networkInterfaces": {"deviceIndex": 1}}, Severity.WARNING),
        (TEMPLATE, {"networkInterfaces": "eth0"}, Severity.ERROR),
        (TEMPLATE, {"metadataOptions": [{"httpTokens": "required"}]}, Severity.WARNING),
        (TEMPLATE, {"metadataOptions": ["required"]}, Severity.ERROR),
        (TEMPLATE, {"vpcSecurityGroupIds": "sg-1"}, Severity.WARNING),
        (TEMPLATE, {"blockDeviceMappings": [{"ebs": {"volumeSize": 1.5}}]}, Severity.WARNING),
        (QUEUE, {"redrivePolicy": {"maxReceiveCount": 4}}, Severity.WARNING),
        (TASK, {"family": "f", "containerDefinitions": [{"name": "a"}]}, Severity.WARNING),
        (TASK, {"family": {"name": "f"}, "containerDefinitions": "[]"}, Severity.ERROR),
        (MAP, {"metadata": {"nam": "a"}}, Severity.WARNING),
        (MAP, {"metadata": {"labels": {"rank": 8}}}, Severity.ERROR),
        (MAP, {"immutable": "true"}, Severity.ERROR),
        (AZURE, {"resourceGroupName": "g", "tag": []}, Severity.WARNING),
        (AZURE, {"resourceGroupName": 5}, Severity.ERROR),
    ],
)
def test_what_the_provider_reads_as_the_right_type_does_not_block(
    type_: str, inputs: dict[str, object], severity: Severity
) -> None:
    (finding,) = findings(type_, inputs)

    assert finding.code in ("TYPE-001", "TYPE-003")
    assert finding.severity == severity


def test_values_of_maps_are_left_to_azure() -> None:
    assert not findings(AZURE, {"resourceGroupName": "g", "tags": {"size": 5}})


def test_an_sdk_that_declares_no_types_is_reported_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pulumi_elder", ModuleType("pulumi_elder"))

    def program() -> None:
        for type_ in ("elder:a/thing:Thing", "elder:b/other:Other"):
            pulumi.CustomResource(type_, "it", {})

    (finding,) = rehearse(program).findings

    assert (finding.code, finding.severity) == ("TYPE-004", Severity.INFO)
    assert "declares no types" in finding.message


def test_an_api_server_reads_nothing_as_another_type() -> None:
    (mismatch,) = sdk_types.mismatches("kubernetes:core/v1:ConfigMap", {"immutable": "true"})

    assert not mismatch.convertible


def test_an_amount_of_kubernetes_may_be_a_number() -> None:
    container = {"name": "main", "resources": {"limits": {"nvidia.com/gpu": 8}, "requests": {"cpu": 0.5}}}
    pod = {"metadata": {"labels": {"rank": 8}}, "spec": {"containers": [container]}}
    volume = {"spec": {"volumes": [{"name": "v", "emptyDir": {"sizeLimit": 1073741824}}], "containers": []}}
    quota = {"spec": {"hard": {"pods": 3, "requests.nvidia.com/gpu": 8}}}

    assert [wrong.path for wrong in sdk_types.mismatches("kubernetes:core/v1:Pod", pod)] == ["metadata.labels.rank"]
    assert not list(sdk_types.mismatches("kubernetes:core/v1:Pod", volume))
    assert not list(sdk_types.mismatches("kubernetes:core/v1:ResourceQuota", quota))


def test_a_number_that_another_resource_puts_out_may_stand_where_text_is_wanted() -> None:
    def program() -> None:
        template = aws.ec2.LaunchTemplate("template", instance_type="g6.xlarge")
        aws.eks.NodeGroup(
            "group",
            cluster_name="c",
            node_role_arn="arn:aws:iam::123456789012:role/node",
            subnet_ids=["subnet-0123456789abcdef0"],
            scaling_config={"min_size": 0, "max_size": 1, "desired_size": 0},
            launch_template={"id": template.id, "version": cast("Any", template.latest_version)},
        )

    assert not [finding for finding in rehearse(program).findings if finding.code == "TYPE-003"]


def _validated_by(schema: dict[str, Any]) -> dict[str, Any]:
    """A custom resource definition whose only version has this schema, as a manifest spells it."""
    names = {"kind": "Rule", "plural": "rules"}
    version = {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": schema}}
    return {"spec": {"group": "example.com", "names": names, "scope": "Namespaced", "versions": [version]}}


DEFINITION = f"kubernetes:apiextensions.k8s.io/v1:{CustomResourceDefinition.__name__}"
OPEN = {"type": "object", "x-kubernetes-preserve-unknown-fields": True}


def test_extensions_of_a_schema_may_be_spelled_as_manifests_spell_them() -> None:
    nested = {**OPEN, "properties": {"spec": OPEN, "port": {"x-kubernetes-int-or-string": True}}}

    assert findings(DEFINITION, _validated_by(nested)) == []


@pytest.mark.parametrize(
    ("schema", "code"),
    [
        ({"x-kubernetes-preserve-unknown-fields": "yes"}, "TYPE-003"),
        ({"x-kubernetes-preserve-unknown-field": True}, "TYPE-001"),
        ({"preserve-unknown-fields": True}, "TYPE-001"),
    ],
)
def test_extensions_of_a_schema_are_checked_as_others_are(schema: dict[str, Any], code: str) -> None:
    assert [finding.code for finding in findings(DEFINITION, _validated_by(schema))] == [code]


def test_a_function_of_an_sdk_without_types_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    class GetZonesResult:
        """As SDKs before version 3 have it: a plain class."""

        def __init__(self, names: Any = None) -> None:
            self.names = names

    module = ModuleType("pulumi_untyped.get_zones")
    vars(module)["GetZonesResult"] = GetZonesResult
    monkeypatch.setitem(sys.modules, module.__name__, module)
    answers: list[Any] = []

    rehearse(lambda: answers.append(pulumi.runtime.invoke("untyped:index/getZones:getZones", {"state": "up"}).value))

    assert answers == [{"state": "up"}]
