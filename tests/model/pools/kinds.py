"""A small program of every kind of machine, and how many machines and accelerators each has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tests.programs import IT, Program, Ref, graph_of, urn_of

from penstock.aws.types import (
    AUTOSCALING_GROUP,
    BATCH_COMPUTE_ENVIRONMENT,
    EC2_FLEET,
    EC2_INSTANCE,
    EC2_LAUNCH_TEMPLATE,
    EC2_SPOT_FLEET_REQUEST,
    EC2_SPOT_INSTANCE_REQUEST,
    EKS_CLUSTER,
    EKS_NODE_GROUP,
    SAGEMAKER_ENDPOINT_CONFIGURATION,
    SAGEMAKER_NOTEBOOK_INSTANCE,
    SAGEMAKER_TRAINING_JOB,
)
from penstock.azure.types import (
    BATCH_POOL,
    COMPUTE_VIRTUAL_MACHINE,
    COMPUTE_VIRTUAL_MACHINE_SCALE_SET,
    CONTAINERSERVICE_AGENT_POOL,
    CONTAINERSERVICE_MANAGED_CLUSTER,
    MACHINELEARNINGSERVICES_COMPUTE,
    MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
)
from penstock.gcp.types import (
    CLOUDRUNV2_SERVICE,
    COLAB_RUNTIME,
    COMPUTE_INSTANCE,
    COMPUTE_INSTANCE_FROM_TEMPLATE,
    COMPUTE_INSTANCE_GROUP_MANAGER,
    COMPUTE_INSTANCE_TEMPLATE,
    COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
    CONTAINER_CLUSTER,
    CONTAINER_NODE_POOL,
    TPU_V2_QUEUED_RESOURCE,
    TPU_V2_VM,
    VERTEX_AI_DEPLOYMENT_RESOURCE_POOL,
    VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
    VERTEX_AI_INDEX_ENDPOINT_DEPLOYED_INDEX,
    VERTEX_AI_PERSISTENT_RESOURCE,
    WORKBENCH_INSTANCE,
)
from penstock.graph.view import Site, View
from penstock.kubernetes.model.pools import TYPES as KARPENTER

PROVIDERS: Program = {
    "aws-provider": ("pulumi:providers:aws", {"region": "us-east-1"}),
    "gcp-provider": ("pulumi:providers:gcp", {"region": "us-central1"}),
    "azure-provider": ("pulumi:providers:azure-native", {"location": "East US"}),
}
ZONE = "us-central1-a"


@dataclass(frozen=True)
class Kind:
    """A program whose resource `it` starts machines.

    Attributes:
        start: machines that it has from its start.
        most: machines that it may grow to.
        accelerators: of one machine.
        cloud: whose machines they are.
        machine: their type; empty where a service or pods choose.
        billed: how the bill names them, where it is not by number and type.
        quota: whether they draw on the quotas of the cloud's machines.
    """

    name: str
    program: Mapping[str, tuple[str, Mapping[str, Any]]]
    start: int
    most: int
    accelerators: int
    cloud: str
    machine: str = ""
    billed: str = ""
    quota: bool = True

    @property
    def type(self) -> str:
        """The type token of the resource."""
        return self.program[IT][0]

    @property
    def peak(self) -> int:
        """The accelerators that it may grow to."""
        return self.most * self.accelerators

    def view(self, quotas: Mapping[str, float] | None = None) -> View:
        """The resource in its program."""
        graph = graph_of({**PROVIDERS, **self.program})
        return View(graph[urn_of(IT, self.program)], Site(graph, quotas))

    def __str__(self) -> str:
        return self.name


def _aws(name: str, type_: str, inputs: dict[str, Any], start: int, most: int, **more: Any) -> Kind:
    others = more.pop("others", {})
    fields: dict[str, Any] = {"accelerators": 8, "machine": "p5.48xlarge", "cloud": "aws", **more}
    return Kind(name, {**others, IT: (type_, inputs)}, start, most, **fields)


def _gcp(name: str, type_: str, inputs: dict[str, Any], start: int, most: int, **more: Any) -> Kind:
    return _aws(name, type_, inputs, start, most, **{"machine": "a2-highgpu-8g", "cloud": "gcp", **more})


def _azure(name: str, type_: str, inputs: dict[str, Any], start: int, most: int, **more: Any) -> Kind:
    fields = {"machine": AZURE, "cloud": "azure", "accelerators": 4, **more}
    return _aws(name, type_, inputs, start, most, **fields)


AZURE = "Standard_NC96ads_A100_v4"
_TEMPLATE = {"lt": (EC2_LAUNCH_TEMPLATE, {"instanceType": "p5.48xlarge"})}
_BY_TEMPLATE = {"launchTemplate": {"id": Ref("lt"), "version": "$Latest"}}
_FLEET_TEMPLATE = {"launchTemplateSpecification": {"launchTemplateId": Ref("lt"), "version": "$Latest"}}
_A2 = {"machineType": "a2-highgpu-8g"}
_GCE_TEMPLATE = {"template": (COMPUTE_INSTANCE_TEMPLATE, _A2)}
_VERSIONS = {"versions": [{"instanceTemplate": Ref("template")}]}
_SPEC = {"machineSpec": _A2}
_AKS_CLUSTER = {"aks": (CONTAINERSERVICE_MANAGED_CLUSTER, {"resourceName": "aks"})}
_AKS = {"vmSize": AZURE, "enableAutoScaling": True, "count": 2, "minCount": 1, "maxCount": 5}

KINDS = (
    _aws(
        "node group",
        EKS_NODE_GROUP,
        {"instanceTypes": ["p5.48xlarge"], "scalingConfig": {"desiredSize": 2, "minSize": 1, "maxSize": 6}},
        *(2, 6),
    ),
    _aws(
        "node group by template",
        EKS_NODE_GROUP,
        {**_BY_TEMPLATE, "scalingConfig": {"desiredSize": 2, "minSize": 1, "maxSize": 6}},
        *(2, 6),
        others=_TEMPLATE,
    ),
    _aws(
        "autoscaling group",
        AUTOSCALING_GROUP,
        {**_BY_TEMPLATE, "minSize": 1, "maxSize": 5},
        *(1, 5),
        others=_TEMPLATE,
    ),
    _aws(
        "autoscaling group by launch configuration",
        AUTOSCALING_GROUP,
        {"launchConfiguration": Ref("lc"), "minSize": 0, "maxSize": 5, "desiredCapacity": 3},
        *(3, 5),
        others={"lc": ("aws:ec2/launchConfiguration:LaunchConfiguration", {"instanceType": "p5.48xlarge"})},
    ),
    _aws(
        "mixed autoscaling group",
        AUTOSCALING_GROUP,
        {
            "mixedInstancesPolicy": {
                "launchTemplate": {
                    "launchTemplateSpecification": {"launchTemplateId": Ref("lt")},
                    "overrides": [{"instanceType": "p4d.24xlarge", "weightedCapacity": "2"}],
                }
            },
            "minSize": 3,
            "maxSize": 8,
        },
        *(2, 4),
        machine="p4d.24xlarge",
        others=_TEMPLATE,
    ),
    _aws("instance", EC2_INSTANCE, {"instanceType": "p5.48xlarge"}, 1, 1),
    _aws("instance by template", EC2_INSTANCE, _BY_TEMPLATE, 1, 1, others=_TEMPLATE),
    _aws("spot instance", EC2_SPOT_INSTANCE_REQUEST, {"instanceType": "p4d.24xlarge"}, 1, 1, machine="p4d.24xlarge"),
    _aws(
        "fleet",
        EC2_FLEET,
        {
            "launchTemplateConfigs": [_FLEET_TEMPLATE],
            "targetCapacitySpecification": {"defaultTargetCapacityType": "on-demand", "totalTargetCapacity": 3},
        },
        *(3, 3),
        others=_TEMPLATE,
    ),
    _aws(
        "spot fleet",
        EC2_SPOT_FLEET_REQUEST,
        {"launchSpecifications": [{"ami": "ami-0123", "instanceType": "p4d.24xlarge"}], "targetCapacity": 4},
        *(4, 4),
        machine="p4d.24xlarge",
    ),
    _aws(
        "batch",
        BATCH_COMPUTE_ENVIRONMENT,
        {
            "computeResources": {
                "type": "EC2",
                "instanceTypes": ["p5.48xlarge"],
                "minVcpus": 192,
                "maxVcpus": 768,
            }
        },
        *(1, 4),
    ),
    _aws(
        "endpoint",
        SAGEMAKER_ENDPOINT_CONFIGURATION,
        {
            "productionVariants": [
                {
                    "instanceType": "ml.p5.48xlarge",
                    "initialInstanceCount": 2,
                    "managedInstanceScaling": {"maxInstanceCount": 3},
                }
            ]
        },
        *(2, 3),
        quota=False,
    ),
    _aws(
        "training job",
        SAGEMAKER_TRAINING_JOB,
        {"resourceConfig": {"instanceType": "ml.p5.48xlarge", "instanceCount": 4}},
        *(4, 4),
        quota=False,
    ),
    _aws("notebook", SAGEMAKER_NOTEBOOK_INSTANCE, {"instanceType": "ml.p5.48xlarge"}, 1, 1, quota=False),
    _aws(
        "auto mode",
        EKS_CLUSTER,
        {"computeConfig": {"enabled": True, "nodePools": ["general-purpose"]}},
        *(0, 0),
        accelerators=0,
        billed="by what pods ask for (EKS Auto Mode)",
        quota=False,
    ),
    *(
        _aws(
            f"karpenter {type_} {limits}",
            type_,
            {
                "spec": {
                    "template": {
                        "spec": {
                            "nodeClassRef": {"group": "karpenter.k8s.aws", "kind": "EC2NodeClass", "name": "gpu"},
                            "requirements": [
                                {
                                    "key": "node.kubernetes.io/instance-type",
                                    "operator": "In",
                                    "values": ["p5.48xlarge"],
                                }
                            ],
                        }
                    },
                    "limits": limits,
                }
            },
            *(0, 5),
            billed="by what pods ask for (Karpenter)",
        )
        for type_ in KARPENTER
        for limits in ({"cpu": 960}, {"cpu": "960"}, {"nvidia.com/gpu": 40}, {"nvidia.com/gpu": "40", "cpu": 1920})
    ),
    _gcp(
        "node pool of a zonal cluster in three zones",
        CONTAINER_NODE_POOL,
        {"cluster": Ref("cluster"), "location": ZONE, "nodeCount": 4, "nodeConfig": _A2},
        *(12, 12),
        others={
            "cluster": (
                CONTAINER_CLUSTER,
                {
                    "location": ZONE,
                    "nodeLocations": ["us-central1-b", "us-central1-c"],
                    "removeDefaultNodePool": True,
                },
            )
        },
    ),
    _gcp(
        "node pool of a regional cluster",
        CONTAINER_NODE_POOL,
        {
            "cluster": Ref("cluster"),
            "autoscaling": {"minNodeCount": 1, "maxNodeCount": 3},
            "nodeConfig": _A2,
        },
        *(3, 9),
        others={"cluster": (CONTAINER_CLUSTER, {"location": "us-central1", "removeDefaultNodePool": True})},
    ),
    _gcp(
        "pool in its cluster",
        CONTAINER_CLUSTER,
        {
            "location": "us-central1",
            "nodePools": [{"name": "train", "nodeLocations": [ZONE], "nodeCount": 2, "nodeConfig": _A2}],
        },
        *(2, 2),
    ),
    _gcp(
        "default pool of a zonal cluster in two zones",
        CONTAINER_CLUSTER,
        {"location": ZONE, "nodeLocations": ["us-central1-b"], "initialNodeCount": 2, "nodeConfig": _A2},
        *(4, 4),
    ),
    _gcp(
        "auto-provisioning",
        CONTAINER_CLUSTER,
        {
            "location": "us-central1",
            "removeDefaultNodePool": True,
            "clusterAutoscaling": {
                "enabled": True,
                "resourceLimits": [{"resourceType": "nvidia-tesla-a100", "maximum": 16}],
            },
        },
        *(0, 2),
        billed="by what pods ask for (auto-provisioning)",
        quota=False,
    ),
    _gcp("machine", COMPUTE_INSTANCE, {**_A2, "zone": ZONE}, 1, 1),
    _gcp(
        "machine from a template",
        COMPUTE_INSTANCE_FROM_TEMPLATE,
        {"sourceInstanceTemplate": Ref("template"), "zone": ZONE},
        *(1, 1),
        others=_GCE_TEMPLATE,
    ),
    _gcp(
        "managed group",
        COMPUTE_INSTANCE_GROUP_MANAGER,
        {**_VERSIONS, "targetSize": 2, "zone": ZONE},
        *(2, 6),
        others={
            **_GCE_TEMPLATE,
            "scaler": (
                "gcp:compute/autoscaler:Autoscaler",
                {"target": Ref("it"), "autoscalingPolicy": {"minReplicas": 1, "maxReplicas": 6}},
            ),
        },
    ),
    _gcp(
        "regional managed group",
        COMPUTE_REGION_INSTANCE_GROUP_MANAGER,
        {**_VERSIONS, "targetSize": 3, "region": "us-central1"},
        *(3, 3),
        others=_GCE_TEMPLATE,
    ),
    _gcp("workbench", WORKBENCH_INSTANCE, {"gceSetup": _A2, "location": ZONE}, 1, 1),
    _gcp(
        "TPU VM",
        TPU_V2_VM,
        {"acceleratorType": "v5p-32", "zone": ZONE},
        1,
        1,
        accelerators=16,
        billed="by the chip and hour; no price known",
        quota=False,
    ),
    _gcp(
        "queued TPU",
        TPU_V2_QUEUED_RESOURCE,
        {"tpu": {"nodeSpecs": [{"node": {"acceleratorType": "v5p-32"}}]}, "zone": ZONE},
        *(1, 1),
        accelerators=16,
        billed="by the chip and hour; no price known",
        quota=False,
    ),
    _gcp(
        "Cloud Run",
        CLOUDRUNV2_SERVICE,
        {
            "location": "us-central1",
            "template": {
                "containers": [{"resources": {"limits": {"nvidia.com/gpu": "1"}}}],
                "scaling": {"minInstanceCount": 1, "maxInstanceCount": 3},
            },
        },
        *(1, 3),
        accelerators=1,
        billed="1 × machine that Cloud Run chooses, on demand: no price known",
        quota=False,
    ),
    *(
        _gcp(name, type_, {**inputs, "region": "us-central1"}, start, most, quota=False)
        for name, type_, inputs, start, most in (
            (
                "deployment pool",
                VERTEX_AI_DEPLOYMENT_RESOURCE_POOL,
                {"dedicatedResources": {**_SPEC, "minReplicaCount": 2, "maxReplicaCount": 4}},
                2,
                4,
            ),
            (
                "model garden",
                VERTEX_AI_ENDPOINT_WITH_MODEL_GARDEN_DEPLOYMENT,
                {"deployConfig": {"dedicatedResources": {**_SPEC, "minReplicaCount": 1, "maxReplicaCount": 4}}},
                1,
                4,
            ),
            (
                "index",
                VERTEX_AI_INDEX_ENDPOINT_DEPLOYED_INDEX,
                {"dedicatedResources": {**_SPEC, "minReplicaCount": 2}},
                2,
                2,
            ),
            (
                "persistent resource",
                VERTEX_AI_PERSISTENT_RESOURCE,
                {"resourcePools": [{**_SPEC, "replicaCount": "3"}]},
                3,
                3,
            ),
        )
    ),
    _gcp(
        "colab runtime",
        COLAB_RUNTIME,
        {"location": "us-central1", "notebookRuntimeTemplateRef": {"notebookRuntimeTemplate": Ref("template")}},
        *(1, 1),
        others={"template": ("gcp:colab/runtimeTemplate:RuntimeTemplate", _SPEC)},
        quota=False,
    ),
    _azure("agent pool", CONTAINERSERVICE_AGENT_POOL, {**_AKS, "resourceName": Ref("aks")}, 2, 5, others=_AKS_CLUSTER),
    _azure(
        "agent pool profile", CONTAINERSERVICE_MANAGED_CLUSTER, {"agentPoolProfiles": [{"name": "gpu", **_AKS}]}, 2, 5
    ),
    _azure("scale set", COMPUTE_VIRTUAL_MACHINE_SCALE_SET, {"sku": {"name": AZURE, "capacity": 3}}, 3, 3),
    _azure("virtual machine", COMPUTE_VIRTUAL_MACHINE, {"hardwareProfile": {"vmSize": AZURE}}, 1, 1),
    _azure(
        "compute cluster",
        MACHINELEARNINGSERVICES_COMPUTE,
        {
            "properties": {
                "computeType": "AmlCompute",
                "properties": {"vmSize": AZURE, "scaleSettings": {"minNodeCount": 1, "maxNodeCount": 4}},
            }
        },
        *(1, 4),
        quota=False,
    ),
    _azure(
        "online deployment",
        MACHINELEARNINGSERVICES_ONLINE_DEPLOYMENT,
        {"properties": {"instanceType": AZURE}, "sku": {"capacity": 2}},
        *(2, 2),
        quota=False,
    ),
    _azure(
        "Azure Batch",
        BATCH_POOL,
        {"vmSize": AZURE, "scaleSettings": {"fixedScale": {"targetDedicatedNodes": 2}}},
        *(2, 2),
        quota=False,
    ),
)
"""Every kind of resource that starts machines."""
